// A connection's one timer, set for the earliest of its deadlines.
//
// A value of one connection on its shard; its timer is in that shard's wheel.

struct DeadlineTimer {
  private var timer: TimerID?
  private var due = Timestamp.distantFuture

  /// Sets the timer of the connection with this token, unless it already fires early enough.
  mutating func arm(for token: UInt64, at deadline: Timestamp, _ shard: ShardResources) {
    guard deadline < due else { return }
    cancel(shard)
    due = deadline
    timer = shard.setTimer(forConnection: token, at: deadline)
  }

  /// The timer has fired.
  mutating func fired() {
    timer = nil
    due = .distantFuture
  }

  func cancel(_ shard: ShardResources) {
    if let timer { shard.wheel.cancel(timer) }
  }
}
