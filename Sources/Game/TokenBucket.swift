// Rates: how often something may be done on average, and how often at once. A value that its owner keeps beside what it
// limits; it reckons in whole milliseconds of the time it is given and never reads a clock.

/// An allowance that fills evenly up to a bound. Its level is kept as the milliseconds of filling that it holds, so that
/// there is nothing to round.
package struct TokenBucket: Hashable, Sendable {
  /// How long one token takes to fill.
  private let tokenMs: Int64
  /// The level of a full bucket.
  private let fullMs: Int64
  private var levelMs: Int64
  private var filledAt = Instant(milliseconds: 0)

  /// A full bucket.
  /// - Parameters:
  ///   - burst: How many tokens it holds.
  ///   - tokenMs: How long one token takes to fill.
  package init(burst: Int64, tokenMs: Int64) {
    self.tokenMs = tokenMs
    fullMs = burst * tokenMs
    levelMs = fullMs
  }

  /// Takes a token if there is one.
  package mutating func take(at now: Instant) -> Bool {
    fill(at: now)
    guard levelMs >= tokenMs else { return false }
    levelMs -= tokenMs
    return true
  }

  /// How long until `take` succeeds; zero when it would now.
  package mutating func wait(at now: Instant) -> Duration {
    fill(at: now)
    return .milliseconds(max(0, tokenMs - levelMs))
  }

  /// Nothing could be taken at the moment of the newest question.
  package var isEmpty: Bool { levelMs < tokenMs }

  /// Nothing has been taken, or all has filled up again.
  package mutating func isFull(at now: Instant) -> Bool {
    fill(at: now)
    return levelMs == fullMs
  }

  private mutating func fill(at now: Instant) {
    let elapsedMs = max(0, now.milliseconds - filledAt.milliseconds)
    levelMs = min(fullMs, levelMs + min(elapsedMs, fullMs))
    filledAt = now
  }
}

// In a journal. What the bucket holds at most is known from what it is for.
extension TokenBucket {
  func write(to state: inout RecordWriter) {
    state.bytes.number(levelMs)
    state.past(filledAt)
  }

  /// Takes over the level of a bucket of the same size.
  mutating func read(from state: inout RecordReader) throws(JournalFault) {
    levelMs = try state.bytes.number(in: 0...fullMs, "allowance")
    filledAt = try state.past()
  }
}
