// Connections that change shards: no byte is lost, doubled or overtaken.
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct MovingTests {
  /// The shard of the first newcomer.
  private let first = 1

  @Test("Bytes after the moving message are answered by the new shard, including half a frame")
  func unreadBytes() throws {
    let shards = try TestShards(2)
    let last = TestPeer.frame("and the last")
    for cut in 0..<last.count {
      let peer = try shards.peer()
      let (from, to) = cut % 2 == 0 ? (1, 0) : (0, 1)
      let before = try shards.on(from) { $0.core.counters.bytesIn }
      let bytes = ["a", "move \(to)", "b", "c"].flatMap(TestPeer.frame) + last[..<cut]
      try peer.socket.send(bytes)
      try shards.awaitBytesIn(before + bytes.count, on: from)
      #expect(
        try peer.next(4) == [.text("\(from):a"), .text("\(to):adopted cargo"), .text("\(to):b"), .text("\(to):c")]
      )
      try peer.socket.send(last[cut...])
      #expect(try peer.next() == .text("\(to):and the last"), "cut at \(cut)")
    }
  }

  @Test("Unsent bytes move along, ahead of what the new shard sends")
  func unsentBytes() throws {
    let shards = try TestShards(2)
    let peer = try shards.peer()
    try peer.socket.send(TestPeer.frame("flood-move 100000 0") + TestPeer.frame("behind"))
    let events = try shards.log.wait { $0.contains { $0.hasPrefix("0 adopted ") } }
    let cargo = try #require(events.last { $0.hasPrefix("0 adopted ") }).split(separator: " ")
    let count = try #require(UInt32(cargo[2]))
    #expect(try #require(Int(cargo[3])) > 100_000)
    let flood = try peer.flood()
    #expect(flood.numbers == Array(0..<count))
    #expect(flood.behind == .text("0:adopted \(cargo[2]) \(cargo[3])"))
    #expect(try peer.next() == .text("0:behind"))
  }

  @Test("A connection may move again from inside its adoption")
  func movesOn() throws {
    let shards = try TestShards(3)
    let peer = try shards.peer()
    try peer.socket.send(TestPeer.frame("travel 2") + TestPeer.frame("there"))
    #expect(try peer.next(2) == [.text("1:adopted cargo"), .text("1:there")])
    #expect(shards.log.events.contains("2 adopted on to 1"))
  }

  @Test("Many moves in one write keep every message's order and place")
  func manyMoves() throws {
    let shards = try TestShards(2)
    let peer = try shards.peer()
    var frames: [UInt8] = []
    var expected: [TestPeer.Item] = []
    for number in 0..<200 {
      let to = number % 2
      frames += TestPeer.frame("move \(to)") + TestPeer.frame("message \(number)")
      expected += [.text("\(to):adopted cargo"), .text("\(to):message \(number)")]
    }
    try peer.socket.send(frames)
    #expect(try peer.next(expected.count) == expected)
    let counters = try shards.group.shards.map { shard in try shards.on(shard.index) { $0.core.counters } }
    #expect(counters.map(\.connectionsAdopted) == [100, 100])
    #expect(counters.map(\.connectionsAccepted) == [0, 1])
  }

  @Test("The old shard's token matches nothing, and only the new shard is notified of the end")
  func oldToken() throws {
    let shards = try TestShards(2)
    let peer = try shards.peer()
    try peer.send("move 0")
    #expect(try peer.next() == .text("0:adopted cargo"))
    let opened = try #require(shards.log.events.first { $0.hasPrefix("1 opened ") })
    let token = try #require(UInt64(opened.dropFirst("1 opened ".count)))
    #expect(try shards.on(first) { $0.core.connection(for: token) == nil })
    #expect(try shards.on(first) { $0.core.connectionCount } == 0)
    #expect(try shards.on(0) { $0.core.connectionCount } == 1)
    peer.socket.reset()
    try shards.log.wait(for: "0 closed nil")
    try shards.stop()
    #expect(!shards.log.events.contains { $0.hasPrefix("1 closed") })
  }

  @Test("Deadlines move along: silence is counted from the last byte, on whichever shard it was read")
  func deadlines() throws {
    let shards = try TestShards(2)
    let peer = try shards.peer()
    try peer.send("deadline 40")
    #expect(try peer.next() == .text("1:set"))
    try shards.pass(seconds: 20)
    try peer.send("move 0")
    #expect(try peer.next() == .text("0:adopted cargo"))
    try shards.pass(seconds: 19)
    #expect(!shards.log.events.contains { $0.contains("deadline") })
    try shards.pass(seconds: 1)
    #expect(shards.log.events.contains("0 deadline true"))
    try shards.pass(seconds: 5)
    #expect(try peer.next() == .ping)
  }

  @Test("A connection that moves to a stopped shard ends")
  func movesToStoppedShard() throws {
    let shards = try TestShards(2)
    let peer = try shards.peer()
    let stopped = Delivery<Void>()
    shards.group.shards[0].stop { stopped.put(()) }
    try stopped.take()
    try peer.send("here")
    #expect(try peer.next() == .text("1:here"))
    try peer.send("move 0")
    #expect(try peer.next() == .end)
  }
}
