// The client of an operators' listener for its figures: one request over a plain socket of its own.
//
// Blocks, up to a few seconds; only for commands.
import ArgumentParser
import ConsoleProtocol
import Glibc

struct StatsClient {
  let link: OperatorLink
  private static let patienceSeconds = 10
  /// The bound on an answer, above any real one.
  private static let answerBytesMax = 4 * 1_024 * 1_024

  /// - Throws: `ValidationError` without an answer, or for an answer without figures.
  func stats(rooms: Int) throws -> FeedOverview {
    let (status, body) = try get("/stats?rooms=\(rooms)")
    guard status == 200 else {
      let text = String(decoding: body, as: UTF8.self).split(separator: "\n").first.map { String($0).printable } ?? ""
      throw ValidationError("\(link.host):\(link.port) answers \(status): \(text)")
    }
    do {
      return try FeedOverview(consoleJSON: body)
    } catch {
      throw ValidationError("\(link.host):\(link.port) answers with figures that this version does not read.")
    }
  }

  private func get(_ path: String) throws -> (status: Int, body: [UInt8]) {
    let descriptor = try connected()
    defer { close(descriptor) }
    let host = link.host.contains(":") ? "[\(link.host)]" : link.host
    let request = Array(
      """
      GET \(path) HTTP/1.1\r
      Host: \(host):\(link.port)\r
      Authorization: Bearer \(link.token)\r
      Connection: close\r
      \r

      """.utf8
    )
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw failure("send to")
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
    while answer.count < Self.answerBytesMax {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { break }
      guard count > 0 else { throw failure("read from") }
      answer += buffer[..<count]
    }
    guard let head = answer.firstRange(of: Array("\r\n\r\n".utf8)), answer.starts(with: "HTTP/1.1 ".utf8),
      let status = Int(String(decoding: answer[9..<min(12, answer.count)], as: UTF8.self))
    else { throw ValidationError("\(link.host):\(link.port) does not speak HTTP.") }
    return (status, Array(answer[head.upperBound...]))
  }

  private func connected() throws -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(link.host, String(link.port), &hints, &found) == 0, let first = found?.pointee else {
      throw ValidationError("can't look up \(link.host).")
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(first.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw failure("make a socket for") }
    var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connect(descriptor, first.ai_addr, first.ai_addrlen) == 0 else {
      defer { close(descriptor) }
      throw failure("connect to")
    }
    return descriptor
  }

  private func failure(_ what: String) -> ValidationError {
    ValidationError("can't \(what) \(link.host):\(link.port): \(String(cString: strerror(errno))).")
  }
}
