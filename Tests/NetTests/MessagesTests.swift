// Requests and messages over real sockets: the same answers for all cuts, in the order of the requests.
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct MessagesTests {
  @Test("A service gets whole messages and its answers are delivered")
  func echo() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.send("안녕")
    #expect(try peer.next() == .text("0:안녕"))
    let payload = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    var frame: [UInt8] = []
    FrameEncoder.append(.binary, payload, mask: 7, to: &frame)
    try peer.socket.send(frame)
    #expect(try peer.next() == .binary(payload))
  }

  @Test("An upgrade and the message after it may be split at every byte")
  func cutAtEveryByte() throws {
    let shards = try TestShards()
    let bytes = TestPeer.upgradeRequest() + TestPeer.frame("a message")
    var read = 0
    for cut in 1..<bytes.count {
      let socket = try shards.socket()
      try socket.send(bytes[..<cut])
      try shards.awaitBytesIn(read + cut)
      try socket.send(bytes[cut...])
      let peer = try TestPeer(awaitingUpgradeOn: socket)
      #expect(try peer.next() == .text("0:a message"), "cut at \(cut)")
      read += bytes.count
    }
  }

  @Test("Bytes that arrive one by one form the same message")
  func drip() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    let before = try shards.on(0) { $0.core.counters.bytesIn }
    for (index, byte) in TestPeer.frame("drop by drop").enumerated() {
      try peer.socket.send([byte])
      try shards.awaitBytesIn(before + index + 1)
    }
    #expect(try peer.next() == .text("0:drop by drop"))
  }

  @Test("Answers are in the order of the messages, however many arrive at once")
  func order() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    let texts = (0..<2_000).map { "message \($0)" }
    try peer.socket.send(texts.flatMap(TestPeer.frame))
    #expect(try peer.next(texts.count) == texts.map { .text("0:\($0)") })
  }

  @Test("Frames sent at once stay after messages queued before, and ahead of later ones")
  func mixedOrder() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    for _ in 0..<3 {
      try peer.send("mixed")
      #expect(try peer.next(3) == [.text("0:first"), .text("0:second"), .text("0:third")])
    }
  }

  @Test("A ping is answered with its payload, after the answers to earlier messages")
  func ping() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.socket.send(TestPeer.frame("before") + TestPeer.pingFrame([1, 2, 3]))
    #expect(try peer.next(2) == [.text("0:before"), .pong([1, 2, 3])])
    try peer.socket.send(TestPeer.pingFrame([]))
    #expect(try peer.next() == .pong([]))
  }

  @Test("Requests on one connection are answered in order, and it ends after a request that says so")
  func requests() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    let requests = ["/a", "/b"].map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
    try socket.send(Array((requests + "GET /c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").utf8))
    let text = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
    let bodies = text.split(separator: "HTTP/1.1 200 OK").compactMap { $0.split(separator: "\r\n\r\n").last }
    #expect(bodies == ["/a", "/b", "/c"])
  }

  @Test("A connection that has answered a request can still become a WebSocket")
  func requestThenUpgrade() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try socket.send(Array("GET /a HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    #expect(String(decoding: try socket.receive(), as: UTF8.self).hasSuffix("\r\n\r\n/a"))
    try socket.send(TestPeer.upgradeRequest() + TestPeer.frame("now"))
    #expect(try TestPeer(awaitingUpgradeOn: socket).next() == .text("0:now"))
  }

  @Test("A refused upgrade gets the service's answer and the end, and the service is not notified of a connection")
  func refusal() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try socket.send(TestPeer.upgradeRequest(path: "/no"))
    #expect(String(decoding: try socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 403 "))
    socket.endSending()
    try shards.stop()
    #expect(shards.log.events.isEmpty)
  }

  @Test("An invalid request gets a 400 and the end")
  func badRequest() throws {
    let shards = try TestShards()
    let socket = try shards.socket()
    try socket.send(Array("hello, is anyone there?\r\n\r\n".utf8))
    #expect(String(decoding: try socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
  }

  @Test("A violation of the protocol ends the connection with its code, after the pending answers")
  func protocolErrors() throws {
    let shards = try TestShards()
    var tooLong: [UInt8] = []
    FrameEncoder.appendHeader(.binary, payloadBytes: CommandService.messageBytesMax + 1, mask: 1, to: &tooLong)
    for (bytes, code) in [([0x81, 0x01, 0x41], 1002), (tooLong, 1009)] as [([UInt8], UInt16)] {
      let peer = try shards.peer()
      try peer.socket.send(TestPeer.frame("due") + bytes + TestPeer.frame("never seen"))
      #expect(try peer.next() == .text("0:due"))
      guard case .close(code, _) = try peer.next() else {
        Issue.record("no close with \(code)")
        continue
      }
      #expect(try peer.next() == .end)
      peer.socket.endSending()
      try shards.log.wait(for: "0 closed \(code)")
    }
  }
}
