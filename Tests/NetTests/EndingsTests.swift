// The ends of connections: close frames from either side, peers that leave without one, and peers that never send one.
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct EndingsTests {
  private func isClosed(_ shards: TestShards) -> Bool {
    shards.log.events.contains { $0.hasPrefix("0 closed") }
  }

  @Test("The server's close frame follows what it sent, and its end follows the peer's answer")
  func serverCloses() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.socket.send(["a", "close 4321 that's it", "never seen"].flatMap(TestPeer.frame))
    #expect(try peer.next(2) == [.text("0:a"), .close(4321, "that's it")])
    try peer.send("nor this")
    #expect(!isClosed(shards))
    try peer.socket.send(TestPeer.closeFrame(4321))
    #expect(try peer.next() == .end)
    peer.socket.endSending()
    try shards.log.wait(for: "0 closed 4321")
  }

  @Test("The peer's close frame is answered with its code, after the pending answers")
  func peerCloses() throws {
    let shards = try TestShards()
    for code in [1000, 4999, nil] as [UInt16?] {
      let peer = try shards.peer()
      try peer.socket.send(TestPeer.frame("due") + TestPeer.closeFrame(code) + TestPeer.frame("never seen"))
      #expect(try peer.next(3) == [.text("0:due"), .close(code, ""), .end])
      peer.socket.endSending()
      try shards.log.wait(for: "0 closed \(code.map(String.init) ?? "nil")")
    }
  }

  @Test("A peer that does not answer the close frame is shut down after 5 s, and dropped 2 s later")
  func noAnswerToClose() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.send("close 1000")
    #expect(try peer.next() == .close(1000, ""))
    try shards.pass(milliseconds: 4_900)
    #expect(!peer.socket.hasInput)
    try shards.pass(milliseconds: 100)
    #expect(try peer.next() == .end)
    try shards.pass(milliseconds: 1_900)
    #expect(!isClosed(shards))
    try shards.pass(milliseconds: 200)
    try shards.log.wait(for: "0 closed 1000")
  }

  @Test("A peer that answers the close frame and never ends is dropped after 2 s")
  func lingering() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.send("close 1000")
    #expect(try peer.next() == .close(1000, ""))
    try peer.socket.send(TestPeer.closeFrame(1000))
    #expect(try peer.next() == .end)
    try shards.pass(milliseconds: 1_900)
    #expect(!isClosed(shards))
    try shards.pass(milliseconds: 200)
    try shards.log.wait(for: "0 closed 1000")
  }

  @Test(
    "A client without a whole request within 10 s is closed; one with a partial request gets an answer",
    arguments: [("", ""), ("GET / HTTP/1.1\r\nHost: h\r\n", "HTTP/1.1 408 ")]
  )
  func noRequest(beginning: String, answer: String) throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try socket.send(Array(beginning.utf8))
    try shards.awaitBytesIn(beginning.utf8.count)
    // The shard knows of a newcomer without bytes once it knows of a later one.
    let later = try shards.peer()
    try shards.pass(milliseconds: 9_900)
    #expect(!socket.hasInput)
    try shards.pass(milliseconds: 200)
    let response = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
    #expect(response.prefix(answer.count) == answer)
    #expect(response.isEmpty == answer.isEmpty)
    try later.send("still here")
    #expect(try later.next() == .text("0:still here"))
  }

  @Test("A peer that has half-closed gets the answers, then the end")
  func halfClosed() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.socket.send(["a", "b"].flatMap(TestPeer.frame))
    peer.socket.endSending()
    #expect(try peer.rest() == [.text("0:a"), .text("0:b")])
    try shards.log.wait(for: "0 closed nil")
    let socket = try shards.socket()
    try socket.send(Array("GET /page HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    socket.endSending()
    #expect(String(decoding: try socket.receiveToEnd(), as: UTF8.self).hasSuffix("\r\n\r\n/page"))
  }

  @Test("A client that half-closes after a request gets the whole answer, even if the kernel takes it bit by bit")
  func halfClosedAfterRequest() throws {
    let shards = try TestShards { $0.kernelSendBytes = 4_096 }
    let socket = try shards.socket()
    let request = Array("GET /flood HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    try socket.send(request)
    socket.endSending()
    try shards.awaitBytesIn(request.count)
    // The shard has seen the end when it has answered a later peer's message.
    let later = try shards.peer()
    try later.send("later")
    #expect(try later.next() == .text("0:later"))
    let waiting = try shards.on(0) { shard in
      var bytes = 0
      shard.core.forEachConnection { bytes += $0.unsentBytes }
      return bytes
    }
    #expect(waiting > CommandService.pageBytes / 2)
    let answer = try socket.receiveToEnd()
    #expect(answer.suffix(CommandService.pageBytes).allSatisfy { $0 == 0x2E })
    #expect(answer.count > CommandService.pageBytes)
    try later.send("still here")
    #expect(try later.next() == .text("0:still here"))
  }

  @Test("A peer that resets its connection is removed, and other connections are unaffected")
  func reset() throws {
    let shards = try TestShards()
    let other = try shards.peer()
    try other.send("watch")
    #expect(try other.next() == .text("0:watching"))
    for round in 0..<20 {
      let peer = try shards.peer()
      // In every second round with bytes under way in both directions.
      if round % 2 == 0 { try peer.send("message") }
      peer.socket.reset()
      #expect(try other.next() == .text("0:someone left"))
    }
    #expect(shards.log.events.filter { $0 == "0 closed nil" }.count == 20)
    #expect(try shards.on(0) { $0.core.connectionCount } == 1)
  }

  @Test("An abandoned connection gets the queued bytes and no close frame")
  func abandoned() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.socket.send(["abandon", "never seen"].flatMap(TestPeer.frame))
    #expect(try peer.rest() == [.text("0:abandoned")])
    try shards.log.wait(for: "0 closed nil")
  }

  @Test("Messages that a service sends because another connection ended leave in the same turn")
  func sendingFromClosed() throws {
    // Nothing else may wake the shard within the test's patience: no deadline, and no turn of the wheel for a later
    // one.
    let shards = try TestShards(onManualClock: false) {
      $0.handshakeSeconds = 32
      $0.pingIntervalSeconds = 32
    }
    let stays = try shards.peer()
    try stays.send("watch")
    #expect(try stays.next() == .text("0:watching"))
    let leaves = try shards.peer()
    leaves.socket.endSending()
    #expect(try stays.next() == .text("0:someone left"))
  }

  @Test("A token of an ended connection matches nothing, even when its slot is reused")
  func staleToken() throws {
    let shards = try TestShards()
    var tokens: [UInt64] = []
    for _ in 0..<3 {
      let peer = try shards.peer()
      let ends = tokens.count
      let events = try shards.log.wait { $0.filter { $0.contains("opened") }.count == ends + 1 }
      let opened = try #require(events.last { $0.contains("opened") })
      tokens.append(try #require(UInt64(opened.dropFirst("0 opened ".count))))
      let found = try shards.on(0) { [tokens] shard in tokens.map { shard.core.connection(for: $0) != nil } }
      #expect(found == Array(repeating: false, count: tokens.count - 1) + [true])
      peer.socket.reset()
      try shards.log.wait { $0.filter { $0.contains("closed") }.count == ends + 1 }
    }
    #expect(Set(tokens).count == 3)
    #expect(Set(tokens.map { $0 & 0xFFFF_FFFF }).count == 1)
    let unknown: UInt64 = 1 << 20
    #expect(try shards.on(0) { $0.core.connection(for: unknown) == nil })
  }

  @Test("Requests that wait for an earlier answer stay in order, however late it is read and whatever follows")
  func heldRequests() throws {
    let shards = try TestShards { $0.kernelSendBytes = 4_096 }
    for round in 0..<50 {
      let socket = try shards.socket()
      socket.shrinkReceiveBuffer()
      // Answers as long as their requests, too long for the small buffers; an upgrade at the end.
      let path = "/" + String(repeating: "x", count: 6_000 + 37 * round)
      let request = Array("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
      try socket.send(request + request)
      try socket.send(TestPeer.upgradeRequest() + TestPeer.frame("first"))
      var answered: [UInt8] = []
      // The rest arrives while the answers are being read.
      for byte in TestPeer.frame("second") {
        if socket.hasInput { answered += try socket.receive() }
        try socket.send([byte])
      }
      let end = Array("0:second".utf8)
      while !answered.suffix(end.count).elementsEqual(end) { answered += try socket.receive() }
      let text = String(decoding: answered, as: UTF8.self)
      #expect(text.components(of: "HTTP/1.1 200 OK").count == 3)
      #expect(text.components(of: "HTTP/1.1 101 ").count == 2)
      #expect(text.components(of: "0:first").count == 2)
    }
  }
}

extension String {
  fileprivate func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
