// A connection whose bytes wait for the kernel: its count in the process's budget, and its peer's pace.
//
// A value of one connection, on its shard's queue; it moves between shards with it. The peer's pace is measured by its
// kernel's acknowledgements. Our own kernel holds megabytes, and takes them in leaps with long pauses between.

struct Stall: Sendable {
  /// The bytes that the budget counts for this connection.
  var countedBytes = 0
  /// The window over which the pace is measured: its start, and the acknowledged and waiting bytes at that time.
  private var windowBegan: Timestamp
  private var acknowledgedBefore: UInt64?
  private var waitingBefore: Int
  /// The bytes that our kernel has taken in this window; used where no kernel tells the acknowledged ones.
  var handedOver = 0

  init(waiting: Int, acknowledged: UInt64?, at now: Timestamp) {
    windowBegan = now
    acknowledgedBefore = acknowledged
    waitingBefore = waiting
  }

  /// Updates the connection's count. Bytes queued in the turn in which a window begins belong to the window's
  /// beginning.
  mutating func count(_ heldBytes: Int, waiting: Int, at now: Timestamp) {
    countedBytes = heldBytes
    if now == windowBegan { waitingBefore = max(waitingBefore, waiting) }
  }

  /// The time at which the peer's pace is judged next.
  func windowEnd(_ limits: NetLimits) -> Timestamp { windowBegan.advanced(seconds: limits.stallSeconds) }

  /// At the end of a window: whether the peer has taken enough in it. If so, the next window begins.
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
