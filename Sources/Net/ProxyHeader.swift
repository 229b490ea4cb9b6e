// The header by which a proxy that only passes bytes on names its caller: HAProxy's PROXY protocol, version 1 (a line
// of text) and 2 (binary). See https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, section 2.
//
// A pure function of the first bytes of a connection. Call it only where the peer is known to be a proxy: a peer that
// may send this header may choose its address. A connection that should begin with one and doesn't is broken.
// Decisions: 007 (docs/decisions).

/// The statement of a proxy before the first byte of its client.
package struct ProxyHeader: Equatable, Sendable {
  /// The client; nil when the proxy speaks for itself (a health check) or the client came without an IP address.
  package let source: SocketAddress?
  /// The length of the header. The client's own bytes begin behind it.
  package let byteCount: Int

  /// The header at the start of `bytes`, or nil when its end has not arrived. Wrong bytes are refused as soon as the
  /// signature shows them.
  package static func parse(_ bytes: UnsafeRawBufferPointer) throws(ProxyHeaderFault) -> ProxyHeader? {
    guard let first = bytes.first else { return nil }
    return first == BinaryProxyHeader.signature[0] ? try BinaryProxyHeader.parse(bytes) : try parseText(bytes)
  }

  /// Whether the first bytes of a connection begin such a header, of either version.
  static func isBegun(by bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: keyword) || bytes.starts(with: BinaryProxyHeader.signature)
  }

  /// The longest line, its end included: section 2.1.
  package static let textBytesMax = 107
  /// The longest binary header. An address needs far less, but proxies add information about TLS.
  package static let binaryBytesMax = 536
}

/// A reason why the first bytes of a connection are no PROXY header.
package enum ProxyHeaderFault: Error, Equatable, Sendable, CaseIterable {
  case signature
  case lineTooLong
  case line
  case version
  case command
  case family
  case tooLong
  case addressesMissing

  /// The description for the operator's log.
  package var reason: String {
    switch self {
    case .signature: "the connection does not begin with a PROXY header"
    case .lineTooLong: "the PROXY line has no end within \(ProxyHeader.textBytesMax) bytes"
    case .line: "the PROXY line is not like \"PROXY TCP4 192.0.2.1 192.0.2.2 50000 80\""
    case .version: "the PROXY header has another version than 1 and 2"
    case .command: "the PROXY header's command is neither LOCAL nor PROXY"
    case .family: "the PROXY header's address family or transport is not known"
    case .tooLong: "the PROXY header has more than \(ProxyHeader.binaryBytesMax) bytes"
    case .addressesMissing: "the PROXY header is too short for its addresses"
    }
  }
}

// Version 1: `PROXY TCP4 192.0.2.1 192.0.2.2 50000 80` and CR LF.
extension ProxyHeader {
  private static let keyword = Array("PROXY ".utf8)
  private static let lineEnd = Array("\r\n".utf8)

  private static func parseText(_ bytes: UnsafeRawBufferPointer) throws(ProxyHeaderFault) -> ProxyHeader? {
    guard zip(bytes, keyword).allSatisfy(==) else { throw .signature }
    let head = bytes.prefix(textBytesMax)
    guard let end = head.indices.first(where: { head[$0...].starts(with: lineEnd) }) else {
      guard head.count < textBytesMax else { throw .lineTooLong }
      return nil
    }
    return ProxyHeader(source: try source(head[..<end]), byteCount: end + lineEnd.count)
  }

  private static func source(_ line: Slice<UnsafeRawBufferPointer>) throws(ProxyHeaderFault) -> SocketAddress? {
    let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard fields.count >= 2 else { throw .line }
    switch String(decoding: fields[1], as: UTF8.self) {
    case "TCP4": return try source(fields, isV6: false)
    case "TCP6": return try source(fields, isV6: true)
    // The rest of the line means nothing: section 2.1.
    case "UNKNOWN": return nil
    default: throw .line
    }
  }

  /// All four parts must be valid, though only the source counts: a half-wrong line is not trusted.
  private static func source(
    _ fields: [Slice<UnsafeRawBufferPointer>],
    isV6: Bool
  ) throws(ProxyHeaderFault) -> SocketAddress? {
    guard fields.count == 6,
      let source = address(fields[2], isV6: isV6), address(fields[3], isV6: isV6) != nil,
      let port = DecimalDigits.value(of: fields[4], max: 65_535), DecimalDigits.value(of: fields[5], max: 65_535) != nil
    else { throw .line }
    return SocketAddress(ip: source, port: UInt16(port))
  }

  private static func address(_ field: Slice<UnsafeRawBufferPointer>, isV6: Bool) -> IPAddress? {
    guard field.contains(UInt8(ascii: ":")) == isV6 else { return nil }
    return IPAddress(String(decoding: field, as: UTF8.self))
  }
}
