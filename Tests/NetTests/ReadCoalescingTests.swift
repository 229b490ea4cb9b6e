// Coalesced reads: their beginning and end, the time of the next one, and that they lose nothing.
import Net
import TestSupport
import Testing

@Suite struct ReadCoalescingTests {
  private static let start = Timestamp(microseconds: 1_790_000_000_000_000)

  private func at(milliseconds: Int64) -> Timestamp { Self.start.advanced(milliseconds: milliseconds) }

  @Test("Coalescing begins at 2,000 frames a second and ends below half of that")
  func judgement() {
    var coalescing = ReadCoalescing(NetLimits(), now: Self.start)
    // Each step: the time of judging, the frames that have left since the step before, and whether it is on then.
    let steps: [(ms: Int64, frames: Int, isOn: Bool)] = [
      (100, 199, false), (200, 200, true), (300, 100, true), (400, 99, false), (500, 199, false),
      (1_500, 2_000, true), (1_600, 0, false), (1_700, 1_000_000, true),
    ]
    var frames = 0
    for step in steps {
      frames += step.frames
      coalescing.judge(deliveries: frames, at: at(milliseconds: step.ms))
      #expect(coalescing.isOn == step.isOn, "\(step)")
    }
  }

  @Test("A rate is not measured over less than a tenth of a second")
  func window() {
    var coalescing = ReadCoalescing(NetLimits(), now: Self.start)
    coalescing.judge(deliveries: 1_000, at: at(milliseconds: 99))
    #expect(!coalescing.isOn)
    coalescing.judge(deliveries: 1_000, at: at(milliseconds: 100))
    #expect(coalescing.isOn)
  }

  @Test("Coalesced reads are at the edges of the timer wheel's slots, the next one always in the future")
  func edges() {
    let coalescing = ReadCoalescing(NetLimits(), now: Self.start)
    let slot = TimerWheel.resolutionMicroseconds
    for offset: Int64 in [0, 1, slot - 1, slot, slot + 1, 17 * slot + 5] {
      let now = Timestamp(microseconds: Self.start.microseconds + offset)
      let next = coalescing.nextRead(after: now)
      #expect(next > now)
      #expect(next.microseconds(since: now) <= slot)
      #expect(next.microseconds % slot == 0)
    }
  }

  /// Shards that each coalesce reads once a frame has left.
  private func coalescing(_ count: Int, onManualClock: Bool = true) throws -> TestShards {
    try TestShards(count, onManualClock: onManualClock) { $0.coalescingDeliveriesPerSecond = 1 }
  }

  private func isCoalescing(_ shards: TestShards, _ shard: Int) throws -> Bool {
    try shards.on(shard) { $0.core.readCoalescing.isOn }
  }

  /// Makes frames leave from the peer's shard until it coalesces its reads.
  private func beginCoalescing(_ shards: TestShards, _ shard: Int, _ peer: TestPeer) throws {
    // Bounded only so that a failing test ends.
    for _ in 0..<100 {
      try peer.send("mixed")
      #expect(try peer.next(3) == ["first", "second", "third"].map { .text("\(shard):\($0)") })
      if try isCoalescing(shards, shard) { return }
      try shards.pass(milliseconds: 100)
    }
    throw TestFailure("reads were never coalesced")
  }

  @Test(
    "A shard that coalesces its reads answers, moves, accepts and closes connections as usual, overloaded or not",
    arguments: [false, true]
  )
  func everything(isOverloaded: Bool) throws {
    let shards = try coalescing(2)
    let peer = try shards.peer()
    try beginCoalescing(shards, 1, peer)
    for shard in 0..<2 where isOverloaded {
      try shards.on(shard) { $0.core.take(ShardLoad(now: $0.core.now, share: 1, isOverloaded: true)) }
    }
    // More than one poll and one read bring.
    let piece = (0..<2_000).map { "message \($0)" }
    try peer.socket.send(piece.flatMap(TestPeer.frame))
    #expect(try peer.next(piece.count) == piece.map { .text("1:\($0)") })
    try peer.send("move 0")
    #expect(try peer.next() == .text("0:adopted cargo"))
    try beginCoalescing(shards, 0, peer)
    // The listener belongs to the first shard.
    let newcomers = try (0..<20).map { _ in try shards.peer() }
    for newcomer in newcomers { try newcomer.send("here") }
    for newcomer in newcomers {
      guard case .text(let text) = try newcomer.next() else { throw TestFailure("no answer") }
      #expect(text.hasSuffix(":here"))
    }
    for newcomer in newcomers { newcomer.socket.reset() }
    let count = newcomers.count
    try shards.log.wait { $0.filter { $0.hasSuffix("closed nil") }.count == count }
    try peer.send("flood 0")
    try shards.log.wait(for: "0 flooded true")
    let flood = try shards.on(0) { $0.core.counters.turns }
    try peer.send("behind")
    let received = try peer.flood()
    #expect(received.numbers == Array(0..<UInt32(received.numbers.count)))
    #expect(received.behind == .text("0:behind"))
    #expect(try shards.on(0) { $0.core.counters.turns } > flood)
  }

  @Test("A shard that coalesces its reads also delivers with the real clock, where only the intervals wake it")
  func realClock() throws {
    let shards = try coalescing(1, onManualClock: false)
    let peer = try shards.peer()
    // A tenth of a second must pass before the load is judged; the frames themselves take that long.
    // Bounded only so that a failing test ends.
    for _ in 0..<1_000_000 {
      if try isCoalescing(shards, 0) { break }
      try peer.send("mixed")
      #expect(try peer.next(3) == ["first", "second", "third"].map { .text("0:\($0)") })
    }
    #expect(try isCoalescing(shards, 0))
    for number in 0..<50 {
      try peer.send("\(number)")
      #expect(try peer.next() == .text("0:\(number)"))
    }
  }
}
