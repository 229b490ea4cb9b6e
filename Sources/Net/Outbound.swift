// What waits to be sent on one connection, and whether its peer takes it.
//
// A value of one connection, on its shard's thread; it moves between shards with it.

struct Outbound: Sendable {
  var queue = SendQueue()
  private var stall: Stall?
  /// Of what waits, a message longer than `bytesMax` by itself, as far as it is not sent.
  private var longMessageBytes = 0
  /// Above this the connection is closed as too slow.
  var bytesMax: Int

  init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  /// Something waits for the kernel.
  var isStalled: Bool { stall != nil }

  /// What the process's budget counts for this connection.
  var countedBytes: Int { stall?.countedBytes ?? 0 }

  /// More waits than may.
  var isTooLong: Bool { queue.count - longMessageBytes > bytesMax }

  /// Has `frame` append, given the mask for a client's frame. Over `behindBytes` that wait already no message counts as
  /// long.
  mutating func append(
    mask: UInt32?,
    behindBytes: Int,
    _ frame: (_ bytes: inout [UInt8], _ mask: UInt32?) -> Void
  ) {
    let before = queue.count
    frame(&queue.bytes, mask)
    if before <= behindBytes { noteLength(queue.count - before) }
  }

  /// A message comes to a connection that is not behind.
  mutating func noteLength(_ bytes: Int) {
    if bytes > bytesMax { longMessageBytes = bytes }
  }

  /// The kernel has taken `count` of the bytes that wait.
  mutating func drop(_ count: Int) {
    queue.drop(count)
    longMessageBytes = min(longMessageBytes, queue.count)
    if !queue.isEmpty { stall?.handedOver += count }
  }

  /// Forgets all that waits.
  mutating func discard() {
    queue = SendQueue()
    longMessageBytes = 0
  }

  /// Before the connection goes to another shard: what has been sent already takes no memory there.
  mutating func prepareToMove() {
    queue.compact()
    if queue.isEmpty { longMessageBytes = 0 }
  }
}

// Waiting for the kernel.
extension Outbound {
  /// Bytes begin to wait for the kernel, or more of them wait. One that has come from another shard goes on in its
  /// window.
  ///
  /// - Parameters:
  ///   - acknowledged: bytes that the peer's kernel has acknowledged so far; asked for where a window begins.
  ///   - now: this turn's time.
  ///   - budget: what counts the bytes.
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

  /// Nothing waits any more.
  mutating func endStall(_ budget: UnsentBudget) {
    guard let stall else { return }
    budget.change(from: stall.countedBytes, to: 0)
    self.stall = nil
  }

  /// When the peer's pace is judged next.
  func stallDeadline(_ limits: NetLimits) -> Timestamp { stall?.windowEnd(limits) ?? .distantFuture }

  /// At `stallDeadline` or behind it: whether the peer has taken too little. Else the next window has begun.
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
