// Rates: a limit on average, and a limit at once. A value that its owner keeps beside the limited thing; it counts
// whole milliseconds of the given time and never reads a clock.

/// A number of tokens that fills evenly up to a bound. Its level is kept as milliseconds of filling, so that nothing
/// needs rounding.
package struct TokenBucket: Hashable, Sendable {
  /// The time in which one token fills.
  private let tokenMs: Int64
  /// The level of a full bucket.
  private let fullMs: Int64
  private var levelMs: Int64
  private var filledAt = Instant(milliseconds: 0)

  /// A full bucket.
  /// - Parameters:
  ///   - burst: The number of tokens that it holds.
  ///   - tokenMs: The time in which one token fills.
  package init(burst: Int64, tokenMs: Int64) {
    self.tokenMs = tokenMs
    fullMs = burst * tokenMs
    levelMs = fullMs
  }

  /// Takes a token if there is one.
  @inline(__always)
  package mutating func take(at now: Instant) -> Bool {
    fill(at: now)
    guard levelMs >= tokenMs else { return false }
    levelMs -= tokenMs
    return true
  }

  /// Takes so many tokens, or all that are there if they are fewer. Returns whether there were enough.
  mutating func drain(_ count: Int64, at now: Instant) -> Bool {
    fill(at: now)
    let neededMs = count * tokenMs
    defer { levelMs -= min(levelMs, neededMs) }
    return levelMs >= neededMs
  }

  /// The time until `take` succeeds; zero when it would now.
  package mutating func wait(at now: Instant) -> Duration {
    fill(at: now)
    return .milliseconds(max(0, tokenMs - levelMs))
  }

  /// Whether no token was there at the newest call.
  package var isEmpty: Bool { levelMs < tokenMs }

  /// Whether nothing has been taken, or all has filled up again.
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

// In a journal. The bucket's bound is known from its use.
extension TokenBucket {
  func write(to state: inout RecordWriter) {
    state.bytes.number(levelMs)
    state.near(filledAt)
  }

  /// Sets the level to that of a bucket of the same size.
  mutating func read(from state: inout RecordReader) throws(JournalFault) {
    levelMs = try state.bytes.number(in: 0...fullMs, "allowance")
    filledAt = try state.near()
  }
}
