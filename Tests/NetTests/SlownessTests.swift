// Slow and silent peers: their waiting bytes are bounded, and so is the time.
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct SlownessTests {
  private let tooSlow: UInt16 = 4002
  private let noPong: UInt16 = 4003

  /// A peer whose connection is full: bytes wait for which the kernel has no room.
  private func fullPeer(_ shards: TestShards) throws -> TestPeer {
    let peer = try shards.peer()
    // More bytes than the peer's kernel takes by itself.
    try peer.send("flood 900000")
    try shards.log.wait(for: "0 flooded true")
    return peer
  }

  @Test("A peer with more waiting bytes than allowed is closed with 4002, after those bytes")
  func tooManyBytes() throws {
    let shards = try TestShards { $0.unsentBytesMax = 64 * 1_024 }
    let peer = try shards.peer()
    try peer.send("flood \(1 << 30)")
    try shards.log.wait(for: "0 flooded true")
    let unsent = try shards.on(0) { shard in
      var most = 0
      shard.core.forEachConnection { most = max(most, $0.unsentBytes) }
      return most
    }
    // One message over the limit, and the close frame.
    #expect(unsent > 64 * 1_024)
    #expect(unsent < 64 * 1_024 + CommandService.floodBytes + 200)
    let flood = try peer.flood()
    #expect(flood.numbers == Array(0..<UInt32(flood.numbers.count)))
    #expect(flood.behind == .close(tooSlow, "too slow"))
    #expect(try peer.next() == .end)
    peer.socket.endSending()
    try shards.log.wait(for: "0 closed 4002")
  }

  @Test(
    "A single message over the bound reaches a peer that reads, and does not count; a second one exceeds the bound"
  )
  func longMessage() throws {
    let shards = try TestShards {
      $0.unsentBytesMax = 64 * 1_024
      $0.kernelSendBytes = 4_096
    }
    // A kernel that took a whole message by itself would leave nothing waiting.
    let peer = try TestPeer(TestSocket(port: shards.address.port, receiveBufferBytes: 65_536))
    let long = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    func unsentBytes() throws -> Int {
      try shards.on(0) { shard in
        var most = 0
        shard.core.forEachConnection { most = max(most, $0.unsentBytes) }
        return most
      }
    }
    for _ in 0..<2 {
      try peer.send(binary: long)
      while try unsentBytes() < 64 * 1_024 {}
      try peer.send("ping")
      #expect(try peer.next() == .binary(long))
      #expect(try peer.next() == .text("0:ping"))
    }
    try peer.send(binary: long)
    while try unsentBytes() < 64 * 1_024 {}
    let before = try shards.on(0) { $0.core.counters.bytesIn }
    try peer.send(binary: long)
    // None of the first message's bytes are taken until the second is there whole, with its header and mask.
    try shards.awaitBytesIn(before + 10 + 4 + long.count)
    #expect(try peer.rest() == [.binary(long), .binary(long), .close(tooSlow, "too slow")])
  }

  @Test("A peer that reads nothing for 10 s is closed with 4002")
  func stall() throws {
    let shards = try TestShards { $0.takenBytesPerSecondMin = 1 << 20 }
    let peer = try fullPeer(shards)
    try shards.pass(milliseconds: 9_900)
    #expect(try shards.on(0) { $0.core.connectionCount } == 1)
    let before = try shards.on(0) { $0.core.counters.bytesIn }
    try peer.send("still talking")
    try shards.awaitBytesIn(before + TestPeer.frame("still talking").count)
    try shards.pass(milliseconds: 200)
    let flood = try peer.flood()
    // The answer was due before the stall ended; then nothing but the close.
    #expect(flood.behind == .text("0:still talking"))
    #expect(try peer.rest() == [.close(tooSlow, "too slow")])
  }

  @Test("No ping follows the close frame of a peer that was silent as well as slow")
  func stallAndSilence() throws {
    let shards = try TestShards { $0.takenBytesPerSecondMin = 1 << 20 }
    let peer = try fullPeer(shards)
    // Both deadlines are over when the shard looks next.
    try shards.pass(seconds: 30)
    #expect(try peer.flood().behind == .close(tooSlow, "too slow"))
    #expect(try peer.rest() == [])
  }

  @Test("A peer that does not even read the end is dropped 10 s later")
  func neverReads() throws {
    let shards = try TestShards { $0.takenBytesPerSecondMin = 1 << 20 }
    let peer = try fullPeer(shards)
    try shards.pass(milliseconds: 10_100)
    try shards.pass(milliseconds: 9_800)
    #expect(!shards.log.events.contains("0 closed 4002"))
    try shards.pass(milliseconds: 300)
    try shards.log.wait(for: "0 closed 4002")
    #expect(try shards.on(0) { $0.core.connectionCount } == 0)
    _ = peer
  }

  @Test("A peer that reads again in time continues normally")
  func readsAgain() throws {
    let shards = try TestShards { $0.takenBytesPerSecondMin = 1 << 20 }
    let peer = try fullPeer(shards)
    try shards.pass(milliseconds: 9_900)
    try peer.send("last")
    let flood = try peer.flood()
    #expect(flood.numbers == Array(0..<UInt32(flood.numbers.count)))
    #expect(flood.behind == .text("0:last"))
    try shards.pass(seconds: 10)
    try peer.send("well")
    #expect(try peer.next() == .text("0:well"))
  }

  @Test("A silent peer is pinged after 25 s; any byte counts as an answer")
  func ping() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try peer.send("here")
    #expect(try peer.next() == .text("0:here"))
    for _ in 0..<3 {
      try shards.pass(milliseconds: 24_900)
      #expect(!peer.socket.hasInput)
      try shards.pass(milliseconds: 200)
      #expect(try peer.next() == .ping)
      try shards.pass(milliseconds: 7_000)
      try peer.send("awake")
      #expect(try peer.next() == .text("0:awake"))
    }
  }

  @Test("A peer that sends is not pinged")
  func talking() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    for _ in 0..<6 {
      try peer.send("here")
      #expect(try peer.next() == .text("0:here"))
      try shards.pass(seconds: 20)
      #expect(!peer.socket.hasInput)
    }
  }

  @Test("A peer without a pong for 8 s is closed with 4003 and dropped soon after")
  func silence() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    try shards.pass(seconds: 25)
    #expect(try peer.next() == .ping)
    try shards.pass(milliseconds: 7_900)
    #expect(!peer.socket.hasInput)
    try shards.pass(milliseconds: 200)
    #expect(try peer.rest() == [.close(noPong, "no pong")])
    #expect(!shards.log.events.contains("0 closed 4003"))
    try shards.pass(milliseconds: 2_100)
    try shards.log.wait(for: "0 closed 4003")
  }
}
