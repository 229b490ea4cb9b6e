// What is left of one payer's allowance: a token bucket whose tokens may be bytes.
//
// A value; its table guards it. The level is kept in units of 1/periodMs, so that nothing is rounded however often it is
// looked at.
import Game

struct Bucket: Sendable {
  private var level: Int64
  private var filledAt: Instant

  /// A full one.
  init(_ rate: Budget.Rate, at now: Instant) {
    level = rate.full
    filledAt = now
  }

  /// How long until anything may be used: with at least one unit, `units` may be.
  mutating func wait(for units: Int64, _ rate: Budget.Rate, at now: Instant) -> Duration {
    fill(rate, at: now)
    // More than a full bucket holds may be used when it is full.
    let missing = min(units * rate.periodMs, rate.full) - level
    return missing > 0 ? .milliseconds((missing + rate.perPeriod - 1) / rate.perPeriod) : .zero
  }

  /// Uses so many units, whether they are there or not.
  mutating func use(_ units: Int64, _ rate: Budget.Rate, at now: Instant) {
    fill(rate, at: now)
    // A debt is bounded, so that it is paid within a period.
    level = max(level - units * rate.periodMs, -rate.full)
  }

  /// Gives back what was used for nothing.
  mutating func giveBack(_ units: Int64, _ rate: Budget.Rate) {
    level = min(rate.full, level + units * rate.periodMs)
  }

  mutating func isFull(_ rate: Budget.Rate, at now: Instant) -> Bool {
    fill(rate, at: now)
    return level == rate.full
  }

  /// How many units of the burst are used.
  func used(_ rate: Budget.Rate) -> Int64 { (rate.full - level + rate.periodMs - 1) / rate.periodMs }

  private mutating func fill(_ rate: Budget.Rate, at now: Instant) {
    let elapsedMs = max(0, now.milliseconds - filledAt.milliseconds)
    // Twice a full bucket's time is enough to fill any debt.
    let fullMs = 2 * rate.full / rate.perPeriod + 1
    level = min(rate.full, level + min(elapsedMs, fullMs) * rate.perPeriod)
    filledAt = max(filledAt, now)
  }
}

extension Budget.Rate {
  fileprivate var full: Int64 { burst * periodMs }
}
