// A token bucket: the unused part of a rate. A value that its owner keeps beside the limited thing; it counts whole
// milliseconds of the given time and never reads a clock.

/// A number of tokens that fills evenly up to a bound. Its level is kept as milliseconds of filling, so that nothing
/// needs rounding. Each call gets the rate that the bucket was made with.
package struct TokenBucket: Hashable, Sendable {
  private var levelMs: Int64
  private var filledAt = Instant(milliseconds: 0)

  /// A full bucket.
  package init(_ rate: TokenRate) {
    levelMs = rate.fullMs
  }

  /// Takes a token if there is one.
  @inline(__always)
  package mutating func take(at now: Instant, _ rate: TokenRate) -> Bool {
    fill(at: now, rate)
    guard levelMs >= rate.tokenMs else { return false }
    levelMs -= rate.tokenMs
    return true
  }

  /// Takes so many tokens, or all that are there if they are fewer. Returns whether there were enough.
  mutating func drain(_ count: Int64, at now: Instant, _ rate: TokenRate) -> Bool {
    fill(at: now, rate)
    let neededMs = count * rate.tokenMs
    defer { levelMs -= min(levelMs, neededMs) }
    return levelMs >= neededMs
  }

  /// The time until `take` succeeds; zero when it would now.
  package mutating func wait(at now: Instant, _ rate: TokenRate) -> Duration {
    fill(at: now, rate)
    return .milliseconds(max(0, rate.tokenMs - levelMs))
  }

  /// Whether no token was there at the newest call.
  package func isEmpty(_ rate: TokenRate) -> Bool { levelMs < rate.tokenMs }

  /// Whether nothing has been taken, or all has filled up again.
  package mutating func isFull(at now: Instant, _ rate: TokenRate) -> Bool {
    fill(at: now, rate)
    return levelMs == rate.fullMs
  }

  @inline(__always)
  private mutating func fill(at now: Instant, _ rate: TokenRate) {
    let elapsedMs = max(0, now.milliseconds - filledAt.milliseconds)
    levelMs = min(rate.fullMs, levelMs + min(elapsedMs, rate.fullMs))
    filledAt = now
  }
}

// In a journal. The bucket's rate is known from its use.
extension TokenBucket {
  func write(to state: inout RecordWriter) {
    state.bytes.number(levelMs)
    state.near(filledAt)
  }

  /// Reads a bucket of this rate.
  init(_ rate: TokenRate, from state: inout RecordReader) throws(JournalFault) {
    levelMs = try state.bytes.number(in: 0...rate.fullMs, "allowance")
    filledAt = try state.near()
  }
}
