// Requests with bodies, and answers that leave in pieces.
import Net
import TestSupport
import Testing

@Suite struct BodiesTests {
  private static let taking: ListenerConfiguration = {
    var configuration = ListenerConfiguration()
    configuration.takesBodies = true
    return configuration
  }()

  private func put(_ path: String, _ byteCount: Int, _ fields: String = "") -> String {
    "PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(byteCount)\r\n\(fields)\r\n"
  }

  private func body(_ byteCount: Int) -> [UInt8] { CommandSource.bytes(7..<7 + byteCount) }

  /// The statuses and bodies of answers, one behind the other.
  private func answers(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "HTTP/1.1 ").map { answer in
      let status = answer.prefix(3)
      let body = answer.firstRange(of: "\r\n\r\n").map { answer[$0.upperBound...] } ?? ""
      return body.isEmpty ? String(status) : "\(status) \(body)"
    }
  }

  @Test("A body comes whole, in one piece or many, to a taker that pauses too; the next request follows it")
  func whole() throws {
    let shards = try TestShards(listener: Self.taking)
    for (path, byteCount) in [("/take", 0), ("/take", 1), ("/take", 300_000), ("/slow", 300_000)] {
      let socket = try shards.socket()
      let body = body(byteCount)
      try socket.send(Array(put(path, byteCount).utf8) + body)
      let answer = "200 \(CommandBody.answer(to: body))"
      let next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      try socket.send(next.utf8)
      #expect(try answers(socket.receiveToEnd()) == [answer, "200 /next"])
    }
  }

  @Test("A body that follows another request in the same bytes is taken behind it")
  func pipelined() throws {
    let shards = try TestShards(listener: Self.taking)
    let socket = try shards.socket()
    let body = body(5_000)
    let first = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
    try socket.send(Array((first + put("/take", body.count, "Connection: close\r\n")).utf8) + body)
    #expect(try answers(socket.receiveToEnd()) == ["200 /1", "200 \(CommandBody.answer(to: body))"])
  }

  @Test("A client that waits is told to go on, or is refused without its body")
  func awaitsContinue() throws {
    let shards = try TestShards(listener: Self.taking)
    let socket = try shards.socket()
    try socket.send(put("/take", 3, "Expect: 100-continue\r\nConnection: close\r\n").utf8)
    #expect(String(decoding: try socket.receive(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    try socket.send([1, 2, 3])
    #expect(try answers(socket.receiveToEnd()) == ["200 \(CommandBody.answer(to: [1, 2, 3]))"])
    let refused = try shards.socket()
    try refused.send(put("/refused", 3, "Expect: 100-continue\r\n").utf8)
    #expect(try answers(refused.receiveToEnd()) == ["403"])
  }

  @Test("A taker may answer early; then the connection ends, and the rest of the body is thrown away")
  func early() throws {
    let shards = try TestShards(listener: Self.taking)
    let socket = try shards.socket()
    try socket.send(put("/early", 1_000_000).utf8)
    try socket.send(body(10))
    #expect(try answers(socket.receiveToEnd()) == ["409"])
    try shards.log.wait(for: "broken off after 10")
  }

  @Test("A body that stalls, or comes too slowly, is answered with 408 and ends")
  func slow() throws {
    let shards = try TestShards(listener: Self.taking)
    let stalled = try shards.socket()
    try stalled.send(Array(put("/take", 1_000_000).utf8) + body(1_000))
    try shards.log.wait(for: "0 body of PUT /take")
    try shards.awaitBytesIn(1_000)
    try shards.pass(seconds: 19)
    #expect(!stalled.hasInput)
    try shards.pass(seconds: 2)
    #expect(try answers(stalled.receiveToEnd()).first?.hasPrefix("408") == true)
    try shards.log.wait(for: "broken off after 1000")
    let slow = try shards.socket()
    try slow.send(put("/take", 1_000_000).utf8)
    var sent = try shards.on(0) { $0.core.counters.bytesIn }
    // A byte every ten seconds is under the least pace.
    for _ in 0..<3 {
      try slow.send([1])
      sent += 1
      try shards.awaitBytesIn(sent)
      try shards.pass(seconds: 10)
    }
    #expect(try answers(slow.receiveToEnd()).first?.hasPrefix("408") == true)
  }

  @Test("A body at 8 KiB a second comes whole, however long it takes")
  func steady() throws {
    let shards = try TestShards(listener: Self.taking)
    let socket = try shards.socket()
    let body = body(400 * 1_024)
    try socket.send(put("/take", body.count, "Connection: close\r\n").utf8)
    try shards.log.wait(for: "0 body of PUT /take")
    var read = try shards.on(0) { $0.core.counters.bytesIn }
    for start in stride(from: 0, to: body.count, by: 8 * 1_024) {
      try socket.send(body[start..<start + 8 * 1_024])
      read += 8 * 1_024
      try shards.awaitBytesIn(read)
      try shards.pass(seconds: 1)
    }
    #expect(try answers(socket.receiveToEnd()) == ["200 \(CommandBody.answer(to: body))"])
  }

  @Test("A connection that breaks in a body tells the taker, once")
  func breaks() throws {
    let shards = try TestShards(listener: Self.taking)
    let socket = try shards.socket()
    try socket.send(Array(put("/take", 10).utf8) + [1, 2])
    try shards.log.wait(for: "0 body of PUT /take")
    socket.endSending()
    try shards.log.wait(for: "broken off after 2")
  }

  @Test("A listener that takes no bodies refuses the methods that bring one")
  func untaken() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try socket.send(put("/take", 3).utf8)
    #expect(try answers(socket.receiveToEnd()).first?.hasPrefix("405") == true)
  }

  @Test("A long answer leaves in pieces, and the next request's answer behind it")
  func streamed() throws {
    let shards = try TestShards()
    for byteCount in [1, 65_536, 1_000_000] {
      let socket = try shards.socket()
      try socket.send("GET /stream/\(byteCount) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
      try socket.send("GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
      let bytes = try socket.receiveToEnd()
      let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(byteCount)\r\n\r\n".utf8)
      let tail = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n/2".utf8)
      #expect(bytes == head + CommandSource.bytes(0..<byteCount) + tail)
    }
  }

  @Test("A client that takes nothing of a long answer costs one piece, and is given up")
  func unread() throws {
    let shards = try TestShards { $0.kernelSendBytes = 4_096 }
    let socket = try shards.socket()
    socket.shrinkReceiveBuffer()
    try socket.send("GET /stream/5000000 HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var unsent = 0
    while unsent == 0 {
      unsent = try shards.on(0) { shard in
        var unsent = 0
        shard.core.forEachConnection { unsent += $0.unsentBytes }
        return unsent
      }
    }
    #expect(unsent <= NetLimits().answerPieceBytesMax)
    try shards.pass(seconds: 43)
    #expect(try shards.on(0) { $0.core.connectionCount } == 0)
  }
}
