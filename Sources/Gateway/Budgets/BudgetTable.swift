// One budget's buckets: one for each payer with some use, and none for all others.
//
// A value of `Budgets`, under its lock. A full bucket equals no bucket, so it is forgotten sooner or later.
import Game

struct BudgetTable: Sendable {
  private var buckets: [Payer: Bucket] = [:]
  /// The number of buckets that starts a search for full ones.
  private var bucketsMax = 10_000
  /// The highest use of any payer, in the minute that began then and in the one before.
  private var peak: Int64 = 0
  private var peakBefore: Int64 = 0
  private var minute: Int64 = 0
  var refusals = 0

  /// The time until the charge can be paid; zero when it can be paid now.
  func wait(_ charge: Charge, at now: Instant) -> Duration {
    guard let rate = charge.budget.rate else { preconditionFailure("only a rate is charged") }
    guard var bucket = buckets[charge.payer] else { return .zero }
    return bucket.wait(for: charge.units, rate, at: now)
  }

  mutating func use(_ charge: Charge, at now: Instant) {
    guard let rate = charge.budget.rate else { preconditionFailure("only a rate is charged") }
    forgetFull(rate, at: now)
    var bucket = buckets[charge.payer] ?? Bucket(rate, at: now)
    bucket.use(charge.units, rate, at: now)
    buckets[charge.payer] = bucket
    turnMinute(at: now)
    peak = max(peak, bucket.used(rate))
  }

  mutating func giveBack(_ charge: Charge) {
    guard let rate = charge.budget.rate, var bucket = buckets[charge.payer] else { return }
    bucket.giveBack(charge.units, rate)
    buckets[charge.payer] = bucket
  }

  mutating func use(at now: Instant) -> BudgetUse {
    turnMinute(at: now)
    return BudgetUse(used: max(peak, peakBefore), refusals: refusals)
  }

  private mutating func turnMinute(at now: Instant) {
    let current = now.milliseconds / 60_000
    guard current != minute else { return }
    peakBefore = current == minute + 1 ? peak : 0
    peak = 0
    minute = current
  }

  /// Forgets full buckets. The bound doubles with the remaining count, so that the search costs little for each `use`.
  private mutating func forgetFull(_ rate: Budget.Rate, at now: Instant) {
    guard buckets.count >= bucketsMax else { return }
    buckets = buckets.filter { entry in
      var bucket = entry.value
      return !bucket.isFull(rate, at: now)
    }
    bucketsMax = max(10_000, buckets.count * 2)
  }
}
