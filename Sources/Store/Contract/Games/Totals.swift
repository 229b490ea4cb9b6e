// A player's badges and totals over games. Plain values.
import Game

/// A badge and the moment when it was won.
package struct AwardedBadge: Hashable, Sendable {
  package var badge: Int
  package var awardedAt: Instant

  package init(badge: Int, awardedAt: Instant) {
    self.badge = badge
    self.awardedAt = awardedAt
  }
}

/// The totals of records: their number, millimetres, milliseconds of play, calories.
package struct Totals: Hashable, Sendable {
  package var count: Int
  package var distanceMm: Int64
  package var timeMs: Int64
  package var calories: Int64

  package init(count: Int = 0, distanceMm: Int64 = 0, timeMs: Int64 = 0, calories: Int64 = 0) {
    self.count = count
    self.distanceMm = distanceMm
    self.timeMs = timeMs
    self.calories = calories
  }
}
