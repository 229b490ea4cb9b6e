// The request parser's result, as a value that tests compare. Bytes are fed whole, byte by byte, and cut at every
// place. Every head of the tests goes through `ParsedHead.everyWay`.
import Testing
import WebSocket

/// The lines of a head with their line ends, and the empty line.
func head(_ lines: String...) -> [UInt8] {
  Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
}

/// The result of a parser for some bytes.
enum ParsedHead: Equatable {
  case head(method: String, path: String, query: String?, headers: [HeaderField], byteCount: Int)
  case failure(HTTPFailure)
  case unfinished

  /// The status for the client; nil when the head is accepted or not yet whole.
  var status: Int? {
    if case .failure(let failure) = self { failure.status } else { nil }
  }

  /// Parses in every way and expects the same result each time.
  static func everyWay(
    _ bytes: [UInt8],
    limits: HeadLimits = HeadLimits(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ParsedHead {
    let whole = parse(bytes, stops: [bytes.count], limits: limits)
    let dripped = parse(bytes, stops: Array(0...bytes.count), limits: limits)
    #expect(dripped == whole, "byte by byte", sourceLocation: sourceLocation)
    for cut in bytes.indices where bytes.count < 600 || cut.isMultiple(of: 97) {
      let halves = parse(bytes, stops: [cut, bytes.count], limits: limits)
      #expect(halves == whole, "cut at \(cut)", sourceLocation: sourceLocation)
    }
    return whole
  }

  /// Parses the bytes up to each stop in turn, as they would lie in a connection's buffer.
  private static func parse(_ bytes: [UInt8], stops: [Int], limits: HeadLimits) -> ParsedHead {
    var parser = RequestHeadParser(limits: limits)
    for stop in stops {
      // A copy of its own for each call: a buffer may move between them.
      let result = Array(bytes[..<stop]).withUnsafeBytes { unread in
        Result { () throws(HTTPFailure) in try parser.parse(unread) }
      }
      switch result {
      case .success(nil): continue
      case .success(let (head, byteCount)?):
        return .head(
          method: head.method,
          path: head.path,
          query: head.query,
          headers: head.headers,
          byteCount: byteCount
        )
      case .failure(let failure): return .failure(failure)
      }
    }
    return .unfinished
  }
}

/// The head of a request that must be accepted.
func parsed(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws -> RequestHead {
  var parser = RequestHeadParser()
  let found = try bytes.withUnsafeBytes { try parser.parse($0) }
  return try #require(found, sourceLocation: sourceLocation).head
}
