// The bytes that wait to be sent on one connection, and the pace at which its peer takes them.
//
// A value of one connection, on its shard's queue; it moves between shards with it.

struct Outbound: Sendable {
  var queue = SendQueue()
  private var stall: Stall?
  /// The unsent part of a waiting message that is longer than `bytesMax` by itself.
  private var longMessageBytes = 0
  /// The bound above which the connection is closed as too slow.
  var bytesMax: Int

  init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  /// Whether bytes wait for the kernel.
  var isStalled: Bool { stall != nil }

  /// The bytes that the process's budget counts for this connection.
  var countedBytes: Int { stall?.countedBytes ?? 0 }

  /// Whether more bytes wait than allowed.
  var isTooLong: Bool { queue.count - longMessageBytes > bytesMax }

  /// Puts the queue back, with a message that is now its last. Behind more than `behindBytes` of waiting bytes no
  /// message counts as long.
  @inline(__always)
  mutating func putBack(_ queue: consuming SendQueue, messageBytes: Int, behindBytes: Int) {
    precondition(self.queue.isWithoutBuffer, "nothing is queued while the queue is taken out")
    if queue.count - messageBytes <= behindBytes { noteLength(messageBytes) }
    self.queue = consume queue
  }

  /// Puts the queue back without the bytes that the kernel has taken.
  @inline(__always)
  mutating func putBack(_ queue: consuming SendQueue, sentBytes: Int) {
    precondition(self.queue.isWithoutBuffer, "nothing is queued while the queue is taken out")
    longMessageBytes = min(longMessageBytes, queue.count)
    if !queue.isEmpty { stall?.handedOver += sentBytes }
    self.queue = consume queue
  }

  /// A message comes to a connection that is not behind.
  mutating func noteLength(_ bytes: Int) {
    if bytes > bytesMax { longMessageBytes = bytes }
  }

  /// Forgets all waiting bytes.
  mutating func discard() {
    queue = SendQueue()
    longMessageBytes = 0
  }

  /// Frees the memory of sent bytes before the connection goes to another shard.
  mutating func prepareToMove() {
    queue.compact()
    if queue.isEmpty { longMessageBytes = 0 }
  }
}

// Waiting for the kernel.
extension Outbound {
  /// Bytes begin to wait for the kernel, or more of them wait. A connection from another shard continues its window.
  ///
  /// - Parameters:
  ///   - acknowledged: bytes that the peer's kernel has acknowledged so far; read where a window begins.
  ///   - now: this turn's time.
  ///   - budget: the counter of the bytes.
  /// - Returns: whether the budget counts more than before.
  mutating func noteWaiting(
    acknowledged: @autoclosure () -> UInt64?,
    at now: Timestamp,
    _ budget: UnsentBudget
  ) -> Bool {
    var stall = self.stall ?? Stall(waiting: queue.count, acknowledged: acknowledged(), at: now)
    let before = stall.countedBytes
    stall.count(queue.heldBytes, waiting: queue.count, at: now)
    self.stall = stall
    budget.change(from: before, to: stall.countedBytes)
    return stall.countedBytes > before
  }

  /// Ends the wait: the queue is empty.
  mutating func endStall(_ budget: UnsentBudget) {
    guard let stall else { return }
    budget.change(from: stall.countedBytes, to: 0)
    self.stall = nil
  }

  /// The time at which the peer's pace is judged next.
  func stallDeadline(_ limits: NetLimits) -> Timestamp { stall?.windowEnd(limits) ?? .distantFuture }

  /// At `stallDeadline` or later: whether the peer has taken too little. If not, the next window begins.
  mutating func isTakingTooLittle(
    acknowledged: @autoclosure () -> UInt64?,
    at now: Timestamp,
    _ limits: NetLimits
  ) -> Bool {
    guard var stall, now >= stall.windowEnd(limits) else { return false }
    defer { self.stall = stall }
    return !stall.isTakingEnough(waiting: queue.count, acknowledged: acknowledged(), at: now, limits)
  }
}
