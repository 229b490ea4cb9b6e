// One payer's remaining allowance: a token bucket whose tokens may be bytes.
//
// A value, guarded by its table. The level is kept in units of 1/periodMs, so that repeated reads round nothing.
import Game

struct Bucket: Sendable {
  private var level: Int64
  private var filledAt: Instant

  /// A full bucket.
  init(_ rate: Budget.Rate, at now: Instant) {
    level = rate.full
    filledAt = now
  }

  /// The time until anything may be used. With at least one unit, all `units` may be used.
  mutating func wait(for units: Int64, _ rate: Budget.Rate, at now: Instant) -> Duration {
    fill(rate, at: now)
    // A charge larger than a full bucket is allowed when the bucket is full.
    let missing = min(units * rate.periodMs, rate.full) - level
    return missing > 0 ? .milliseconds((missing + rate.perPeriod - 1) / rate.perPeriod) : .zero
  }

  /// Uses this number of units, even if the bucket has fewer.
  mutating func use(_ units: Int64, _ rate: Budget.Rate, at now: Instant) {
    fill(rate, at: now)
    // The debt is bounded, so that it is paid within a period.
    level = max(level - units * rate.periodMs, -rate.full)
  }

  /// Gives back units that were used for nothing.
  mutating func giveBack(_ units: Int64, _ rate: Budget.Rate) {
    level = min(rate.full, level + units * rate.periodMs)
  }

  mutating func isFull(_ rate: Budget.Rate, at now: Instant) -> Bool {
    fill(rate, at: now)
    return level == rate.full
  }

  /// The number of units of the burst that are used.
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
