// The pace of requests: a burst at once, then one at each interval.
//
// A value that its owner keeps beside the paced thing. It remembers a single moment, at which everything taken has come
// back, and never reads a clock.

package struct RequestPace: Sendable {
  private let intervalMicroseconds: Int64
  private let burst: Int64
  private var fullAt = Timestamp(microseconds: 0)

  /// A full pace: nothing has been taken yet. Both values are 1 or more.
  package init(perMinute: Int, burst: Int) {
    precondition(perMinute > 0 && burst > 0, "a pace and its burst are positive")
    intervalMicroseconds = max(1, 60_000_000 / Int64(perMinute))
    self.burst = Int64(burst)
  }

  /// The wait until a request may be taken; 0 when one may be now.
  package func waitMicroseconds(at now: Timestamp) -> Int64 {
    max(0, fullAt.microseconds(since: now) - (burst - 1) * intervalMicroseconds)
  }

  /// Takes one request if allowed.
  package mutating func take(at now: Timestamp) -> Bool {
    guard waitMicroseconds(at: now) == 0 else { return false }
    fullAt = Timestamp(microseconds: max(fullAt.microseconds, now.microseconds) + intervalMicroseconds)
    return true
  }

  /// The number of requests that have been taken and have not come back.
  package func used(at now: Timestamp) -> Int {
    Int(max(0, fullAt.microseconds(since: now) + intervalMicroseconds - 1) / intervalMicroseconds)
  }

  /// Whether all requests have come back: the pace is as good as new.
  package func isFull(at now: Timestamp) -> Bool { fullAt <= now }
}
