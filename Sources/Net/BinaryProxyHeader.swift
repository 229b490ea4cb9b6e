// Version 2 of the PROXY protocol (section 2.2): 12 bytes of signature, version and command, family and transport,
// a length; then the addresses and, behind them within the length, fields that this server has no use for.
//
// A pure function, for `ProxyHeader` alone. It reads no byte that the length does not cover.

enum BinaryProxyHeader {
  /// The first 12 bytes. No line of version 1, no HTTP method and no TLS record begins with them.
  static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
  private static let fixedBytes = 16

  private static let tcpOverIPv4: UInt8 = 0x11
  private static let tcpOverIPv6: UInt8 = 0x21

  static func parse(_ bytes: UnsafeRawBufferPointer) throws(ProxyHeaderFault) -> ProxyHeader? {
    guard zip(bytes, signature).allSatisfy(==) else { throw .signature }
    guard bytes.count >= fixedBytes else { return nil }
    let (version, command) = (bytes[12] >> 4, bytes[12] & 0xF)
    guard version == 2 else { throw .version }
    guard command <= 1 else { throw .command }
    let byteCount = fixedBytes + Int(number(at: 14, in: bytes))
    guard byteCount <= ProxyHeader.binaryBytesMax else { throw .tooLong }
    // LOCAL: the proxy speaks for itself. Everything behind is skipped.
    guard command == 1, let addressBytes = try addressBytes(of: bytes[13]) else {
      return bytes.count < byteCount ? nil : ProxyHeader(source: nil, byteCount: byteCount)
    }
    // Source and destination, each with a port.
    let portOffset = fixedBytes + 2 * addressBytes
    guard byteCount >= portOffset + 4 else { throw .addressesMissing }
    guard bytes.count >= byteCount else { return nil }
    let address = UnsafeRawBufferPointer(rebasing: bytes[fixedBytes..<fixedBytes + addressBytes])
    let ip =
      addressBytes == 4
      ? IPAddress(v4: UInt32(bigEndian: address.loadUnaligned(as: UInt32.self))) : IPAddress(v6: address)
    return ProxyHeader(source: SocketAddress(ip: ip, port: number(at: portOffset, in: bytes)), byteCount: byteCount)
  }

  private static func number(at offset: Int, in bytes: UnsafeRawBufferPointer) -> UInt16 {
    UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The length of one address; nil for known families and transports that are of no use here: datagrams, sockets of
  /// the file system, "unspecified". Others must be refused.
  private static func addressBytes(of familyAndTransport: UInt8) throws(ProxyHeaderFault) -> Int? {
    switch familyAndTransport {
    case tcpOverIPv4: return 4
    case tcpOverIPv6: return 16
    default:
      guard familyAndTransport >> 4 <= 3, familyAndTransport & 0xF <= 2 else { throw .family }
      return nil
    }
  }
}
