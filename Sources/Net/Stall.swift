// A connection whose bytes wait for the kernel: what it counts for in the process's budget, and how fast its peer
// takes.
//
// A value of one connection, on its shard's thread; it moves between shards with it. The peer's pace is what the peer's
// kernel acknowledges, not what our own takes: ours holds megabytes, and takes them in leaps with long pauses between.

struct Stall: Sendable {
  /// What the budget counts for this connection.
  var countedBytes = 0
  /// The window over which the pace is reckoned: when it began, and what had been acknowledged and what waited then.
  private var windowBegan: Timestamp
  private var acknowledgedBefore: UInt64?
  private var waitingBefore: Int
  /// What our kernel has taken in this window; stands for what is acknowledged where no kernel tells that.
  var handedOver = 0

  init(waiting: Int, acknowledged: UInt64?, at now: Timestamp) {
    windowBegan = now
    acknowledgedBefore = acknowledged
    waitingBefore = waiting
  }

  /// Tells what the connection counts for now. What is queued in the turn in which a window begins belongs to its
  /// beginning.
  mutating func count(_ heldBytes: Int, waiting: Int, at now: Timestamp) {
    countedBytes = heldBytes
    if now == windowBegan { waitingBefore = max(waitingBefore, waiting) }
  }

  /// When the peer's pace is judged next.
  func windowEnd(_ limits: NetLimits) -> Timestamp { windowBegan.advanced(seconds: limits.stallSeconds) }

  /// At the end of a window: whether the peer has taken enough in it. Then the next window begins.
  mutating func isTakingEnough(
    waiting: Int,
    acknowledged: UInt64?,
    at now: Timestamp,
    _ limits: NetLimits
  ) -> Bool {
    var taken = handedOver
    if let acknowledged, let acknowledgedBefore { taken = Int(clamping: acknowledged &- acknowledgedBefore) }
    guard taken >= min(waitingBefore, limits.takenBytesPerSecondMin * Int(limits.stallSeconds)) else { return false }
    let counted = countedBytes
    self = Stall(waiting: waiting, acknowledged: acknowledged, at: now)
    countedBytes = counted
    return true
  }
}
