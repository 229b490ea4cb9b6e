// The origin of a web page, as browsers send it in Origin (RFC 6454 §4, §7): scheme, host and port. A plain value,
// normalised when it is read, so that two spellings of one origin are equal. Names are ASCII, as browsers send them;
// nothing is resolved.

/// A scheme, a host and a port.
struct WebOrigin: Sendable, Hashable {
  /// In lower case.
  let scheme: String
  /// In lower case; an IPv6 address with its brackets.
  let host: String
  /// The named port, else the scheme's own; nil if it has none.
  let port: UInt16?

  /// Reads `scheme://host[:port]`, with nothing before or behind. Nil for anything else, such as `null`.
  init?(_ text: String) {
    let bytes = text.utf8.map(HTTPGrammar.lowercased)
    let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
    let rest = bytes[scheme.endIndex...]
    guard Self.isScheme(scheme), rest.starts(with: "://".utf8) else { return nil }
    self.init(lowercaseScheme: String(decoding: scheme, as: UTF8.self), authority: rest.dropFirst(3))
  }

  /// The origin of this scheme at the host of a Host field; nil when the field is no host with an optional port.
  init?(lowercaseScheme: String, hostField: String) {
    let bytes = hostField.utf8.map(HTTPGrammar.lowercased)
    self.init(lowercaseScheme: lowercaseScheme, authority: bytes[...])
  }

  private init?(lowercaseScheme scheme: String, authority: ArraySlice<UInt8>) {
    guard let hostEnd = Self.endOfHost(authority) else { return nil }
    self.scheme = scheme
    host = String(decoding: authority[..<hostEnd], as: UTF8.self)
    if hostEnd == authority.endIndex {
      port = Self.defaultPort(of: scheme)
    } else {
      guard authority[hostEnd] == UInt8(ascii: ":"), let named = Self.port(authority[(hostEnd + 1)...]) else {
        return nil
      }
      port = named
    }
  }

  /// Whether the bytes are a scheme of RFC 3986 §3.1, in lower case.
  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// The index behind a name or an IPv4 address, or behind the closing bracket of an IPv6 address.
  private static func endOfHost(_ authority: ArraySlice<UInt8>) -> Int? {
    guard authority.first == UInt8(ascii: "[") else {
      let name = authority.prefix { isLetter($0) || isDigit($0) || "-._".utf8.contains($0) }
      return name.isEmpty ? nil : name.endIndex
    }
    let hexadecimal = UInt8(ascii: "a")...UInt8(ascii: "f")
    let address = authority.dropFirst().prefix { hexadecimal.contains($0) || isDigit($0) || ":.".utf8.contains($0) }
    let end = address.endIndex
    return !address.isEmpty && end < authority.endIndex && authority[end] == UInt8(ascii: "]") ? end + 1 : nil
  }

  private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
    digits.allSatisfy(isDigit) ? UInt16(String(decoding: digits, as: UTF8.self)) : nil
  }

  private static func defaultPort(of scheme: String) -> UInt16? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    default: nil
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
