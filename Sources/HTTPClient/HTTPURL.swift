// URLs that the client sends to, read by libcurl's own parser, so that the check and the connection agree. A value.
import CCurl

package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
  /// The URL as libcurl writes it: at most a slash behind the host and numbers of hosts in decimal differ from the text
  /// that was read.
  package let text: String
  /// The host as it is connected to: a name, an IPv4 address, or an IPv6 address in brackets.
  package let host: String
  /// The port, which is the scheme's own where none is written.
  package let port: UInt16
  package let isSecure: Bool

  package static let bytesMax = 2_048

  /// Reads a URL like `https://example.org/hooks?key=1`. Its host is not looked up here: whether its address may be
  /// connected to is decided with each connection.
  ///
  /// - Throws: `HTTPURLError` for another scheme than http and https, a missing or malformed host, a user or a
  ///   password, a fragment, characters that no URL has, and more than 2,048 bytes.
  package init(_ text: String) throws(HTTPURLError) {
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
    // libcurl's parser forgives backslashes, blanks within the path and letters beyond ASCII.
    guard text.utf8.allSatisfy({ Self.isURLByte($0) }) else { throw .characters }
    let afterScheme = try Self.dropScheme(of: text)
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .fragment }
    let authority = afterScheme.utf8.prefix { !"/?".utf8.contains($0) }
    guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
    guard let first = authority.first, first != UInt8(ascii: ":") else { throw .noHost }
    // libcurl would decode them, to any byte. Zones of IPv6 addresses are for link-local ones, which are refused
    // anyway.
    guard !authority.contains(UInt8(ascii: "%")) else { throw .malformed }

    guard let parser = curl_url() else { preconditionFailure("memory for a URL") }
    defer { curl_url_cleanup(parser) }
    guard curl_url_set(parser, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
      let whole = Self.part(CURLUPART_URL, of: parser), let host = Self.part(CURLUPART_HOST, of: parser),
      let scheme = Self.part(CURLUPART_SCHEME, of: parser), ["http", "https"].contains(scheme),
      let port = Self.part(CURLUPART_PORT, of: parser, CURLU_DEFAULT_PORT).flatMap({ UInt16($0) })
    else { throw .malformed }
    self.text = whole
    self.host = host
    self.port = port
    isSecure = scheme == "https"
  }

  package var description: String { text }

  private static func dropScheme(of text: String) throws(HTTPURLError) -> Substring {
    for scheme in ["http://", "https://"] where text.prefix(scheme.count).lowercased() == scheme {
      return text.dropFirst(scheme.count)
    }
    throw .scheme
  }

  /// Whether RFC 3986 has the character; controls, blanks, quotes, backslashes and letters beyond ASCII are not in it.
  private static func isURLByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x7E: !"\"<>\\^`{|}".utf8.contains(byte)
    default: false
    }
  }

  private static func part(_ part: CURLUPart, of parser: OpaquePointer, _ flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parser, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}

/// Reasons why a text is no URL to send to; the descriptions are for operators.
package enum HTTPURLError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong, characters, scheme, noHost, credentials, fragment, malformed

  package var description: String {
    switch self {
    case .tooLong: "a URL has at most 2,048 bytes"
    case .characters: "a URL has only letters, digits and signs of ASCII; write others as %XX, and a host's as xn--"
    case .scheme: "a URL begins with https:// or http://"
    case .noHost: "the URL has no host"
    case .credentials: "a URL here has no user or password"
    case .fragment: "a URL here has no part behind #"
    case .malformed: "the URL's host or port is malformed"
    }
  }
}
