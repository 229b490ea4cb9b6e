// HTTP requests whose answers take longer than a turn.
import Net
import TestSupport
import Testing

@Suite struct DelayedAnswersTests {
  private func request(_ path: String, closes: Bool = false) -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\(closes ? "Connection: close\r\n" : "")\r\n"
  }

  /// The bodies of answers, one behind the other.
  private func bodies(_ text: String) -> [Substring] {
    text.split(separator: "HTTP/1.1 200 OK\r\n").compactMap { answer in
      answer.firstRange(of: "\r\n\r\n").map { answer[$0.upperBound...] }
    }
  }

  @Test("Concurrent requests are answered in order, slow ones too")
  func order() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    let all =
      request("/later/1") + request("/2") + request("/later/3") + request("/later/4") + request("/5", closes: true)
    try socket.send(all.utf8)
    let text = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
    #expect(bodies(text) == ["/later/1", "/2", "/later/3", "/later/4", "/5"])
  }

  @Test("A request after an unanswered one is not examined")
  func waits() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try socket.send((request("/never") + request("/later/1")).utf8)
    try shards.log.wait(for: "0 asked /never")
    try shards.pass(seconds: 9)
    #expect(!socket.hasInput)
    #expect(!shards.log.events.contains("0 asked /later/1"))
  }

  @Test("An answer has the time that a handshake has, counted from its request; then the connection ends")
  func timeOut() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try shards.pass(seconds: 9)
    try socket.send(request("/never").utf8)
    try shards.log.wait(for: "0 asked /never")
    try shards.pass(seconds: 9)
    #expect(!socket.hasInput)
    try shards.pass(seconds: 2)
    #expect(try socket.receiveToEnd().isEmpty)
  }

  @Test(
    "A long answer reaches a client that reads 16 KiB a second, pipelined or not; a slower client is closed",
    arguments: [true, false]
  )
  func longAnswer(closes: Bool) throws {
    let shards = try TestShards { $0.kernelSendBytes = 4_096 }
    for (seconds, isWhole): (Int64, Bool) in [(25, true), (31, false)] {
      let socket = try shards.socket()
      socket.shrinkReceiveBuffer()
      // Its length allows the answer 20 s more.
      try socket.send((request("/long/330000", closes: closes) + (closes ? "" : request("/2", closes: true))).utf8)
      while try shards.on(
        0,
        { shard in
          var unsent = 0
          shard.core.forEachConnection { unsent += $0.unsentBytes }
          return unsent
        }
      ) < 200_000 {}
      try shards.pass(seconds: seconds)
      let answers = bodies(String(decoding: try socket.receiveToEnd(), as: UTF8.self))
      #expect((answers.first?.utf8.count == 330_000) == isWhole)
      #expect((answers.last == "/2") == (isWhole && !closes))
    }
  }

  @Test("A client that half-closes after its request still gets the answer, then the connection ends")
  func halfClosed() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try socket.send(request("/later/1").utf8)
    socket.endSending()
    #expect(bodies(String(decoding: try socket.receiveToEnd(), as: UTF8.self)) == ["/later/1"])
  }

  @Test("An answer for a closed connection is dropped, and the shard continues")
  func gone() throws {
    let shards = try TestShards()
    for _ in 0..<20 {
      let socket = try shards.socket()
      try socket.send(request("/later/1").utf8)
      socket.reset()
    }
    let socket = try shards.socket()
    try socket.send(request("/later/last", closes: true).utf8)
    #expect(bodies(String(decoding: try socket.receiveToEnd(), as: UTF8.self)) == ["/later/last"])
  }
}
