// The client of an operators' listener for its figures, and for the server in short: one request over a plain socket of
// its own.
//
// Blocks, up to a few seconds; only for commands.
import ArgumentParser
import ConsoleProtocol

struct StatsClient {
  let link: OperatorLink
  /// The bound on an answer, above any real one.
  private static let answerBytesMax = 4 * 1_024 * 1_024

  /// - Throws: `ValidationError` without an answer, or for an answer without figures.
  func stats(rooms: Int) throws -> FeedOverview {
    try read("/stats?rooms=\(rooms)") { try FeedOverview(consoleJSON: $0) }
  }

  /// The server in short.
  ///
  /// - Throws: `ValidationError` without an answer that can be read.
  func hello() throws -> FeedHello { try read("/v1/server") { try FeedHello(consoleJSON: $0) } }

  private func read<Message>(_ path: String, _ message: ([UInt8]) throws -> Message) throws -> Message {
    let (status, body) = try get(path)
    guard status == 200 else {
      let text = String(decoding: body, as: UTF8.self).split(separator: "\n").first.map { String($0).printable } ?? ""
      throw ValidationError("\(link.host):\(link.port) answers \(status): \(text)")
    }
    do {
      return try message(body)
    } catch {
      throw ValidationError("\(link.host):\(link.port) answers with figures that this version does not read.")
    }
  }

  private func get(_ path: String) throws -> (status: Int, body: [UInt8]) {
    let socket = try OperatorSocket(to: link)
    let request = """
      GET \(path) HTTP/1.1\r
      Host: \(link.authority)\r
      Authorization: Bearer \(link.token)\r
      Connection: close\r
      \r

      """
    try socket.send(Array(request.utf8))
    var answer: [UInt8] = []
    while answer.count < Self.answerBytesMax {
      let piece = try socket.receive()
      if piece.isEmpty { break }
      answer += piece
    }
    guard let head = answer.firstRange(of: Array("\r\n\r\n".utf8)), answer.starts(with: "HTTP/1.1 ".utf8),
      let status = Int(String(decoding: answer[9..<min(12, answer.count)], as: UTF8.self))
    else { throw ValidationError("\(link.host):\(link.port) does not speak HTTP.") }
    return (status, Array(answer[head.upperBound...]))
  }
}
