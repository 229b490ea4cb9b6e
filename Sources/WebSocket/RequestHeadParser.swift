// Reads request heads, strictly (RFC 9112 §2 to §6). A value that is fed with all unread bytes of a connection. It
// accepts the requests that this server serves: GET and HEAD of HTTP/1.1 and 1.0 without a body, where bodies are taken
// PUT and PATCH with a Content-Length, and where acts are taken POST and DELETE too. It refuses every known shape of
// request smuggling: this server stands behind proxies that may read such a head in another way.

/// Takes request heads, one after the other, from the start of a connection's unread bytes.
package struct RequestHeadParser: Sendable {
  private var scanner: HeadScanner
  private let methods: [String]

  package init(limits: HeadLimits = HeadLimits(), takesBodies: Bool = false, takesActs: Bool = false) {
    scanner = HeadScanner(limits: limits)
    methods = ["GET", "HEAD"] + (takesBodies ? ["PUT", "PATCH"] : []) + (takesActs ? ["POST", "DELETE"] : [])
  }

  /// The head at the start of `bytes` and its length, or nil when more bytes are needed.
  ///
  /// `bytes` are all unread bytes. After nil the next call gets the same bytes with new ones behind. After a head the
  /// caller drops `byteCount` bytes; the next request or the WebSocket stream follows. No byte is searched twice for
  /// the head's end. After a failure the connection is answered with it and closed.
  package mutating func parse(
    _ bytes: UnsafeRawBufferPointer
  ) throws(HTTPFailure) -> (head: RequestHead, byteCount: Int)? {
    let scanned: ScannedHead?
    do {
      scanned = try scanner.scan(bytes)
    } catch {
      throw HTTPFailure(error)
    }
    guard let scanned else { return nil }
    let (method, target, minorVersion) = try requestLine(scanned.startLine)
    let bodyByteCount = try Self.bodyByteCount(of: method, scanned.headers)
    let host = try Self.host(scanned.headers, minorVersion: minorVersion)
    let (path, query) = try Self.resource(target, host: host)
    let head = RequestHead(
      method: method,
      path: path,
      query: query,
      minorVersion: minorVersion,
      headers: scanned.headers,
      bodyByteCount: bodyByteCount
    )
    return (head, scanned.byteCount)
  }

  /// `method SP request-target SP HTTP-version`, RFC 9112 §3, with single spaces.
  private func requestLine(
    _ line: Slice<UnsafeRawBufferPointer>
  ) throws(HTTPFailure) -> (method: String, target: String, minorVersion: Int) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .badRequest("The request line has not three parts.") }
    let (method, target, version) = (parts[0], parts[1], parts[2])
    guard HTTPGrammar.isToken(method) else { throw .badRequest("The method is not a token.") }
    // Visible ASCII; a fragment is never sent (RFC 9112 §3.2).
    guard target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw .badRequest("The request target has a character that must be escaped.")
    }
    let minorVersion = try Self.minorVersion(version)
    guard methods.contains(where: { method.elementsEqual($0.utf8) }) else { throw .methodNotAllowed }
    return (String(decoding: method, as: UTF8.self), String(decoding: target, as: UTF8.self), minorVersion)
  }

  /// The minor version of `HTTP-version`, RFC 9112 §2.3: one digit, a dot, one digit. 1.0 and 1.1 are accepted.
  private static func minorVersion(_ bytes: Slice<UnsafeRawBufferPointer>) throws(HTTPFailure) -> Int {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let number = Array(bytes.dropFirst(5))
    guard bytes.starts(with: "HTTP/".utf8), number.count == 3,
      digits.contains(number[0]), number[1] == UInt8(ascii: "."), digits.contains(number[2])
    else { throw .badRequest("The request line does not end in an HTTP version.") }
    guard number[0] == UInt8(ascii: "1"), number[2] <= UInt8(ascii: "1") else { throw .versionNotSupported }
    return Int(number[2] - digits.lowerBound)
  }

  /// A body is delimited by Transfer-Encoding or Content-Length (RFC 9112 §6). The former is understood nowhere. A
  /// length must be one plain number: two readings of it let a second request be smuggled in. GET, HEAD and DELETE have
  /// no body, and PUT and PATCH must state the length of theirs. A POST without a length has none (RFC 9112 §6.3).
  private static func bodyByteCount(of method: String, _ headers: [HeaderField]) throws(HTTPFailure) -> Int {
    let lengths = headers.values(of: "Content-Length")
    if !headers.values(of: "Transfer-Encoding").isEmpty {
      guard lengths.isEmpty else { throw .badRequest("Content-Length stands beside Transfer-Encoding.") }
      throw .transferCodingNotAllowed
    }
    let bringsBody = RequestHead.bringsBody(method)
    guard let length = lengths.first else {
      guard !bringsBody || method == "POST" else { throw .lengthRequired }
      return 0
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(digits.contains) else {
      throw .badRequest("Content-Length is not one number.")
    }
    guard !length.utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else { return 0 }
    guard bringsBody else { throw .bodyNotAllowed }
    // A number of more digits than any body's is too long, whatever it is.
    guard length.utf8.count <= 15, let byteCount = Int(length) else { throw .bodyTooLong }
    return byteCount
  }

  /// Exactly one well-formed Host (RFC 9112 §3.2); HTTP/1.0 knew none, so there it may be missing.
  private static func host(_ headers: [HeaderField], minorVersion: Int) throws(HTTPFailure) -> String? {
    let hosts = headers.values(of: "Host")
    if hosts.isEmpty, minorVersion == 0 { return nil }
    guard hosts.count == 1, HTTPGrammar.isHost(hosts[0].utf8) else { throw .badRequest("There is not one valid Host.") }
    return hosts[0]
  }

  /// Path and query of an origin-form target, or of an absolute-form one (RFC 9112 §3.2.2) of this very host.
  private static func resource(
    _ target: String,
    host: String?
  ) throws(HTTPFailure) -> (path: String, query: String?) {
    var rest = target[...]
    for scheme in ["http://", "https://"] where HTTPGrammar.equalIgnoringCase(target.prefix(scheme.count), scheme) {
      let authority = target.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
      guard let host, HTTPGrammar.equalIgnoringCase(authority, host) else {
        throw .badRequest("Target and Host disagree.")
      }
      rest = target[authority.endIndex...]
    }
    let path = rest.prefix { $0 != "?" }
    let query = path.endIndex == rest.endIndex ? nil : String(rest[path.endIndex...].dropFirst())
    if path.isEmpty, rest.startIndex != target.startIndex { return ("/", query) }
    guard path.first == "/" else { throw .badRequest("The request target is not a path.") }
    return (String(path), query)
  }
}
