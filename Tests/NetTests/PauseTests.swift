// Connections that are not read for a while: only the peer's bytes wait, in the kernel.
import Net
import TestSupport
import Testing

@Suite struct PauseTests {
  /// A peer that the server does not read for 5 s.
  private func pausedPeer(_ shards: TestShards) throws -> TestPeer {
    let peer = try shards.peer()
    try peer.send("pause 5")
    guard case .text(let text) = try peer.next(), text.hasSuffix(":paused") else { throw TestFailure("not paused") }
    return peer
  }

  private func bytesIn(_ shards: TestShards) throws -> Int {
    try shards.on(0) { $0.core.counters.bytesIn }
  }

  @Test("Nothing is read during a pause, and everything afterwards")
  func pause() throws {
    let shards = try TestShards()
    let peer = try pausedPeer(shards)
    let before = try bytesIn(shards)
    try peer.send("a")
    try shards.pass(milliseconds: 4_900)
    try peer.send("b")
    #expect(try bytesIn(shards) == before)
    #expect(!peer.socket.hasInput)
    try shards.pass(milliseconds: 200)
    #expect(try peer.next(2) == [.text("0:a"), .text("0:b")])
  }

  @Test("Other connections are read as usual, and the service's messages are sent")
  func others() throws {
    let shards = try TestShards()
    let watcher = try shards.peer()
    try watcher.socket.send(TestPeer.frame("watch") + TestPeer.frame("pause 5"))
    #expect(try watcher.next(2) == [.text("0:watching"), .text("0:paused")])
    let other = try shards.peer()
    try other.send("hello")
    #expect(try other.next() == .text("0:hello"))
    other.socket.reset()
    #expect(try watcher.next() == .text("0:someone left"))
  }

  @Test("A later end of the pause replaces an earlier one, and not the reverse")
  func longest() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.socket.send(["pause 5", "pause 8", "pause 2"].flatMap(TestPeer.frame))
    #expect(try peer.next(3) == Array(repeating: .text("0:paused"), count: 3))
    try peer.send("a")
    try shards.pass(milliseconds: 7_900)
    #expect(!peer.socket.hasInput)
    try shards.pass(milliseconds: 200)
    #expect(try peer.next() == .text("0:a"))
  }

  @Test("A reset during the pause ends the connection at once")
  func reset() throws {
    let shards = try TestShards()
    let peer = try pausedPeer(shards)
    try peer.send("never read")
    peer.socket.reset()
    try shards.log.wait(for: "0 closed nil")
    #expect(try shards.on(0) { $0.core.connectionCount } == 0)
  }

  @Test("An end of stream waits behind its bytes, and the shard is not kept busy")
  func halfClosed() throws {
    // On the machine's clock, so that only sockets wake the shard.
    let shards = try TestShards(onManualClock: false)
    let peer = try shards.peer()
    try peer.send("pause 3600")
    #expect(try peer.next() == .text("0:paused"))
    try peer.send("never read")
    peer.socket.endSending()
    let other = try shards.peer()
    let rounds = 300
    let before = try shards.on(0) { $0.core.counters.turns }
    for _ in 0..<rounds {
      try other.send("round")
      #expect(try other.next() == .text("0:round"))
    }
    // A shard that spins takes at least ten turns in a round.
    #expect(try shards.on(0) { $0.core.counters.turns } - before <= 3 * rounds)
  }

  @Test("A peer that half-closes during the pause gets its answers afterwards")
  func halfClosedAnswers() throws {
    let shards = try TestShards()
    let peer = try pausedPeer(shards)
    try peer.send("a")
    peer.socket.endSending()
    try shards.pass(milliseconds: 5_100)
    #expect(try peer.rest() == [.text("0:a")])
  }

  @Test("A pause moves along to another shard")
  func move() throws {
    let shards = try TestShards(2)
    let peer = try shards.peer()
    try peer.socket.send(TestPeer.frame("pause 5") + TestPeer.frame("move 0"))
    #expect(try peer.next(2) == [.text("1:paused"), .text("0:adopted cargo")])
    try peer.send("a")
    try shards.pass(milliseconds: 4_900)
    #expect(!peer.socket.hasInput)
    try shards.pass(milliseconds: 200)
    #expect(try peer.next() == .text("0:a"))
  }
}
