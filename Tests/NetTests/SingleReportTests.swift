// Sockets whose arrivals the poller reports once: whatever has come is read all the same.
import Net
import TestSupport
import Testing

@Suite("Arrivals that are reported once")
struct SingleReportTests {
  @Test("Messages that take many reads are all read, though nothing arrives behind them")
  func manyReads() throws {
    // On the machine's clock, so that only sockets wake the shard.
    let shards = try TestShards(onManualClock: false) { $0.readBytesMax = 64 }
    let peer = try shards.peer()
    let texts = (0..<50).map { "message \($0) of some length" }
    try peer.socket.send(texts.flatMap(TestPeer.frame))
    #expect(try peer.next(texts.count) == texts.map { .text("0:\($0)") })
  }

  @Test("A message that fills the read to its last byte is no end of reading")
  func fullRead() throws {
    let text = String(repeating: "a", count: 58)
    let frame = TestPeer.frame(text)
    let shards = try TestShards(onManualClock: false) { $0.readBytesMax = frame.count }
    let peer = try shards.peer()
    try peer.socket.send(frame + frame + frame)
    #expect(try peer.next(3) == Array(repeating: .text("0:\(text)"), count: 3))
    try peer.send("behind")
    #expect(try peer.next() == .text("0:behind"))
  }

  @Test("An end of stream that arrives with the last message is read behind it", arguments: [64, 65_536])
  func endWithMessage(readBytesMax: Int) throws {
    let shards = try TestShards(onManualClock: false) { $0.readBytesMax = readBytesMax }
    let peer = try shards.peer()
    // The shard reads neither before both are there.
    let held = Delivery<Void>()
    let mayGoOn = Delivery<Void>()
    shards.group.shards[0].post { _ in
      held.put(())
      try? mayGoOn.take()
    }
    try held.take()
    try peer.send("the last")
    peer.socket.endSending()
    mayGoOn.put(())
    #expect(try peer.next() == .text("0:the last"))
    try shards.log.wait(for: "0 closed nil")
    #expect(try shards.on(0) { $0.core.connectionCount } == 0)
  }
}
