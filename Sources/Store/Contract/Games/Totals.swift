// What a player has come to by games: badges and sums. Plain values.
import Game

/// A badge and since when.
package struct AwardedBadge: Hashable, Sendable {
  package var badge: Int
  package var awardedAt: Instant

  package init(badge: Int, awardedAt: Instant) {
    self.badge = badge
    self.awardedAt = awardedAt
  }
}

/// What records come to: how many, millimetres, milliseconds of play, calories.
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
