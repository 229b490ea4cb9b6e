// Shards between two calls by Dispatch: what calls them, and how long they keep their thread.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("A shard's queue")
struct ShardQueueTests {
  private static func calls(_ shards: TestShards) throws -> Int {
    try shards.on(0) { $0.core.counters.calls }
  }

  /// A shard that returns to Dispatch after each turn without further work.
  private static func restingShards() throws -> TestShards {
    try TestShards(onManualClock: false) { $0.idleMicroseconds = 0 }
  }

  @Test("Posted work calls a resting shard")
  func post() throws {
    let shards = try Self.restingShards()
    let before = try Self.calls(shards)
    for number in 1...100 { #expect(try Self.calls(shards) == before + number) }
  }

  @Test("A message calls a resting shard, and its answer leaves in that call")
  func message() throws {
    let shards = try Self.restingShards()
    let peer = try shards.peer()
    let before = try Self.calls(shards)
    for number in 0..<100 {
      try peer.send("echo \(number)")
      #expect(try peer.next() == .text("0:echo \(number)"))
    }
    #expect(try Self.calls(shards) == before + 101)
  }

  @Test("A timer calls a resting shard, and the next timers are set anew")
  func timer() throws {
    let shards = try Self.restingShards()
    for token: UInt64 in 1...3 {
      try shards.on(0) { shard in
        let now = shard.core.now
        _ = shard.core.setTimer(100 + token, at: now.advanced(seconds: 3_600))
        _ = shard.core.setTimer(token, at: now.advanced(milliseconds: 20))
      }
      try shards.log.wait(for: "0 timer \(token)")
    }
    #expect(!shards.log.events.contains("0 timer 101"))
  }

  @Test("A shard with work keeps its thread")
  func busy() throws {
    let shards = try TestShards { $0.idleMicroseconds = 3_600_000_000 }
    let before = try Self.calls(shards)
    for _ in 0..<100 { #expect(try Self.calls(shards) == before) }
  }

  @Test("The CPU time of a shard grows over its calls, whichever threads run it")
  func cpuTime() throws {
    let shards = try Self.restingShards()
    var last = try shards.on(0) { $0.core.cpuMicroseconds }
    for _ in 0..<20 {
      let now = try shards.on(0) { shard in
        let began = shard.core.cpuMicroseconds
        while shard.core.cpuMicroseconds < began + 200 {}
        return shard.core.cpuMicroseconds
      }
      #expect(now >= last + 200)
      last = now
    }
    #expect(last < 60_000_000)
  }
}
