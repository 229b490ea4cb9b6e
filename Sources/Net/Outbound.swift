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

  /// Has `frame` append, given the mask for a client's frame. A queue without memory gets `buffer`. Behind more than
  /// `behindBytes` of waiting bytes no message counts as long.
  ///
  /// - Returns: whether bytes wait for the kernel already.
  mutating func append(
    mask: UInt32?,
    behindBytes: Int,
    buffer: () -> [UInt8],
    _ frame: (_ bytes: inout [UInt8], _ mask: UInt32?) -> Void
  ) -> Bool {
    if queue.isWithoutBuffer { queue.lend(buffer()) }
    let before = queue.count
    frame(&queue.bytes, mask)
    if before <= behindBytes { noteLength(queue.count - before) }
    return isStalled
  }

  /// Has `transmit` send the waiting bytes; it returns how many the kernel has taken.
  ///
  /// - Returns: nil when some still wait; else the queue's buffer, and whether bytes waited for the kernel.
  mutating func drain(_ transmit: (UnsafeRawBufferPointer) -> Int) -> (buffer: [UInt8], wasStalled: Bool)? {
    let count = queue.count
    let taken = queue.withUnsent(transmit)
    drop(taken)
    return taken == count ? (queue.takeBuffer(), isStalled) : nil
  }

  /// A message comes to a connection that is not behind.
  mutating func noteLength(_ bytes: Int) {
    if bytes > bytesMax { longMessageBytes = bytes }
  }

  /// The kernel has taken `count` of the bytes that wait.
  private mutating func drop(_ count: Int) {
    queue.drop(count)
    longMessageBytes = min(longMessageBytes, queue.count)
    if !queue.isEmpty { stall?.handedOver += count }
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
