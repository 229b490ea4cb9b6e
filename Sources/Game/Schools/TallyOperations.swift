// What operators do to the tally: voiding a player's taps, and closing a season. Part of the tally's value; records like all
// else, so they too are to be told as done only when they are durable.
// Decisions: 060 (docs/decisions).

/// A school's place in a season's ranking.
package struct RankedSchool: Hashable, Sendable {
  /// From 1, and no two the same.
  package let rank: Int
  package let school: SchoolID
  package let count: Int64

  package init(rank: Int, school: SchoolID, count: Int64) {
    self.rank = rank
    self.school = school
    self.count = count
  }
}

/// A season that has just ended.
package struct SeasonClosing: Hashable, Sendable {
  package let season: UInt32
  package let closedAt: Instant
  /// All schools that counted, as they stood.
  package let ranking: [RankedSchool]

  package init(season: UInt32, closedAt: Instant, ranking: [RankedSchool]) {
    self.season = season
    self.closedAt = closedAt
    self.ranking = ranking
  }
}

extension Tally {
  /// The same as `voidTaps(ofNumber:season:)`; nil for who has never chosen a school, or was deleted.
  package mutating func voidTaps(of player: PlayerID, season: UInt32) -> Int64? {
    number(of: player).flatMap { voidTaps(ofNumber: $0, season: season) }
  }

  /// Takes what a player has counted in a season so far out of the schools' totals, and says how much that is: 0 if there is
  /// nothing (more) to take. What the player counts afterwards counts again. In the season that runs the own count begins
  /// again at 0; the answer to the newest batch stays as it was given. Nil for a number or season that the tally has not.
  ///
  /// A school that loses by it has its new total since this very record, and so ranks behind all that had that total before.
  /// What was told at a season's closing stays told: `ranking(of:)` is the one of now. Of a season whose counts have left
  /// memory this takes what `putBack` has brought back, and nothing else: ask `keepsCounts(of:)` before.
  package mutating func voidTaps(ofNumber number: Int, season: UInt32) -> Int64? {
    guard book.players.indices.contains(number), let totals = book.totals(of: season) else { return nil }
    let slot = UInt32(number)
    let parts = totals.totals.indices.compactMap { index -> VoidedTaps? in
      let school = UInt32(index)
      let row = book.counts[TapCounts.Key(player: slot, school: school, season: season)]
      guard let row, row.counted > 0 else { return nil }
      return VoidedTaps(school: school, count: row.counted)
    }
    guard !parts.isEmpty else { return 0 }
    let sequence = book.nextSequence()
    book.void(parts, of: slot, season: season, sequence: sequence)
    records.append(.voided(player: slot, season: season, parts), sequence: sequence)
    return parts.reduce(0) { $0 + $1.count }
  }

  /// Ends the season that runs and begins the next, in which all totals and own counts are 0. Players keep their schools, and
  /// their batches go on by number.
  package mutating func closeSeason(at time: Instant) -> SeasonClosing {
    let closing = SeasonClosing(season: book.season, closedAt: time, ranking: ranking(of: book.season))
    let sequence = book.nextSequence()
    book.close(at: time, sequence: sequence)
    records.append(.closed(season: closing.season, at: time), sequence: sequence)
    return closing
  }
}
