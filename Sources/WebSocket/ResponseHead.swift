// The head of a response and its parser: the client's side of the handshake, for bots, tests and commands. Values. As
// strict as the request's parser; our clients speak only to servers that they know.

/// A response's status and fields.
package struct ResponseHead: Sendable {
  /// 100 to 999, three digits as they came.
  package let status: Int
  /// In order of appearance.
  package let headers: [HeaderField]

  /// The values of all fields of this name, in any case, in order of appearance.
  package func values(of name: String) -> [String] {
    headers.values(of: name)
  }
}

/// Takes one response head from the start of a connection's unread bytes.
package struct ResponseHeadParser: Sendable {
  private var scanner: HeadScanner

  package init(limits: HeadLimits = HeadLimits()) {
    scanner = HeadScanner(limits: limits)
  }

  /// The head at the start of `bytes` and its length, or nil when more bytes are needed; fed as `RequestHeadParser` is.
  /// The bytes behind the head, a body or the WebSocket stream, are the caller's.
  package mutating func parse(
    _ bytes: UnsafeRawBufferPointer
  ) throws(UpgradeFailure) -> (head: ResponseHead, byteCount: Int)? {
    let scanned: ScannedHead?
    do {
      scanned = try scanner.scan(bytes)
    } catch {
      throw UpgradeFailure(error)
    }
    guard let scanned else { return nil }
    let head = ResponseHead(status: try Self.status(scanned.startLine), headers: scanned.headers)
    return (head, scanned.byteCount)
  }

  /// `HTTP-version SP status-code SP [reason-phrase]`, RFC 9112 §4; the second space may be missing.
  private static func status(_ line: Slice<UnsafeRawBufferPointer>) throws(UpgradeFailure) -> Int {
    let version = "HTTP/1.1 ".utf8
    let code = line.dropFirst(version.count).prefix { $0 != UInt8(ascii: " ") }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard line.starts(with: version), code.count == 3, code.allSatisfy(digits.contains), code.first != digits.lowerBound
    else { throw .malformed("The status line is not one of HTTP/1.1.") }
    return code.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) }
  }
}
