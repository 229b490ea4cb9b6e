// One request over HTTP to a deployment, and its answer, over a connection of the doctor's own.
//
// Blocks; only for commands.
import HTTPClient
import WebSocket

struct OutsideAnswer {
  let head: ResponseHead
  let body: [UInt8]

  /// The bound on an answer: the doctor asks for short ones.
  private static let bytesMax = 64 * 1_024

  /// Asks for a path; `host` is the value of Host, and `fields` are further lines of the head, each with its end.
  ///
  /// - Throws: `HTTPFailure` when no answer of HTTP/1.1 comes.
  init(
    _ method: String,
    _ path: String,
    host: String,
    fields: String = "",
    over connection: ProbeConnection
  ) throws(ProbeConnection.Failure) {
    let request = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\r\n"
    try connection.send(Array(request.utf8))
    var bytes: [UInt8] = []
    var parser = ResponseHeadParser()
    while true {
      let piece = try connection.receive()
      bytes += piece
      guard !piece.isEmpty, bytes.count <= Self.bytesMax else { throw .other("the answer is not HTTP/1.1") }
      guard let (head, byteCount) = try Self.parse(&parser, bytes) else { continue }
      self.head = head
      body = try Self.body(of: head, Array(bytes[byteCount...]), over: connection)
      return
    }
  }

  /// Reads the head at the start of the bytes; nil before its end.
  static func parse(
    _ parser: inout ResponseHeadParser,
    _ bytes: [UInt8]
  ) throws(ProbeConnection.Failure) -> (head: ResponseHead, byteCount: Int)? {
    do {
      return try bytes.withUnsafeBytes { try parser.parse($0) }
    } catch {
      throw .other("the answer is not HTTP/1.1")
    }
  }

  /// The body: what its length says, else all until the end.
  private static func body(
    of head: ResponseHead,
    _ begun: [UInt8],
    over connection: ProbeConnection
  ) throws(ProbeConnection.Failure) -> [UInt8] {
    let length = head.values(of: "Content-Length").first.flatMap { UInt32($0) }.map(Int.init) ?? bytesMax
    var body = begun
    while body.count < min(length, bytesMax) {
      guard let piece = try? connection.receive(), !piece.isEmpty else { break }
      body += piece
    }
    return Array(body.prefix(length))
  }
}
