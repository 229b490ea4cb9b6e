// The load of a shard: measured by its waits, overloaded after seconds of work without a pause, published for others.
import Glibc
import Net
import Testing

@Suite("The load of a shard") struct ShardLoadTests {
  private static let start = Timestamp(microseconds: 1_000_000_000)

  /// Lets turns of 10 ms pass, the first `workMs` of each in work.
  private func pass(_ load: inout ShardLoad, from begin: Timestamp, turns: Int, workMs: Int64) -> Timestamp {
    var now = begin
    for _ in 0..<turns {
      if workMs < 10 { load.waitBegins(at: now.advanced(milliseconds: workMs)) }
      now = now.advanced(milliseconds: 10)
      _ = load.turnBegins(at: now)
    }
    return now
  }

  @Test("The share is the part of the time that is not spent waiting", arguments: [0, 3, 5, 9, 10] as [Int64])
  func share(workMs: Int64) {
    var load = ShardLoad(now: Self.start)
    _ = pass(&load, from: Self.start, turns: 2_000, workMs: workMs)
    #expect(abs(load.share - Double(workMs) / 10) < 0.001)
    #expect(load.isOverloaded == (workMs == 10))
  }

  @Test("A shard that never waits is overloaded after three seconds, and not before two")
  func overloaded() {
    var load = ShardLoad(now: Self.start)
    var now = pass(&load, from: Self.start, turns: 200, workMs: 10)
    #expect(!load.isOverloaded)
    now = pass(&load, from: now, turns: 100, workMs: 10)
    #expect(load.isOverloaded)
    // Nine tenths are no recovery, half is one.
    now = pass(&load, from: now, turns: 1_000, workMs: 9)
    #expect(load.isOverloaded)
    now = pass(&load, from: now, turns: 100, workMs: 5)
    #expect(!load.isOverloaded)
    // The same nine tenths are no overload for a shard that has none.
    _ = pass(&load, from: now, turns: 1_000, workMs: 9)
    #expect(!load.isOverloaded)
  }

  @Test("A shard that has slept has no load, however busy it was")
  func slept() {
    var load = ShardLoad(now: Self.start)
    let now = pass(&load, from: Self.start, turns: 1_000, workMs: 10)
    load.waitBegins(at: now)
    let isNew = load.turnBegins(at: now.advanced(seconds: 60))
    #expect(isNew)
    #expect(load.share < 0.001 && !load.isOverloaded)
  }

  @Test("A machine that stands still within a turn makes no overload")
  func standstill() {
    var load = ShardLoad(now: Self.start)
    let now = pass(&load, from: Self.start, turns: 100, workMs: 1)
    _ = load.turnBegins(at: now.advanced(seconds: 600))
    #expect(load.share < 0.2 && !load.isOverloaded)
  }

  @Test("A published load is read as it was written, and is past after two seconds")
  func published() {
    let published = PublishedLoad()
    #expect(published.reading(at: Self.start) == PublishedLoad.Reading(share: 0, isOverloaded: false))
    published.publish(ShardLoad(now: Self.start, share: 0.975, isOverloaded: true), at: Self.start)
    let reading = PublishedLoad.Reading(share: 0.975, isOverloaded: true)
    #expect(published.reading(at: Self.start) == reading)
    #expect(published.reading(at: Self.start.advanced(milliseconds: 1_999)) == reading)
    let past = published.reading(at: Self.start.advanced(milliseconds: 2_000))
    #expect(past == PublishedLoad.Reading(share: 0, isOverloaded: false))
  }

  @Test("A shard that is woken now and then has no load, though it returns to Dispatch between")
  func woken() throws {
    let shards = try TestShards(1, onManualClock: false)
    // The subject is sleep: a wake-up comes after the shard has returned its thread.
    for _ in 0..<20 {
      _ = try shards.on(0) { $0.core.load.share }
      usleep(120_000)
    }
    #expect(try shards.on(0) { $0.core.load.share } < 0.2)
  }
}
