// Operators' changes to the tally: voiding a player's taps, and closing a season. Part of the tally's value. They are
// records like all others, so they too may be reported as done only when durable.
// Decisions: 060 (docs/decisions).

/// A school's position in a season's ranking.
package struct RankedSchool: Hashable, Sendable {
  /// The rank, from 1 and unique.
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
  /// All schools that counted, in their final order.
  package let ranking: [RankedSchool]

  package init(season: UInt32, closedAt: Instant, ranking: [RankedSchool]) {
    self.season = season
    self.closedAt = closedAt
    self.ranking = ranking
  }
}

extension Tally {
  /// Like `voidTaps(ofNumber:season:)`; nil for a player who has never chosen a school, or was deleted.
  package mutating func voidTaps(of player: PlayerID, season: UInt32) -> Int64? {
    number(of: player).flatMap { voidTaps(ofNumber: $0, season: season) }
  }

  /// Takes a player's counts of a season so far out of the schools' totals, and returns their sum: 0 without any left.
  /// The player's later taps count again. In the running season the own count restarts at 0; the answer to the newest
  /// batch stays as given. Nil for an unknown number or season.
  ///
  /// A school that loses taps has reached its new total with this record, and so ranks behind all others with that
  /// total. The ranking announced at a season's closing stays announced: `ranking(of:)` is the current one. In a season
  /// whose counts have left memory this voids only the counts that `putBack` has restored: check `keepsCounts(of:)`
  /// first.
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

  /// Ends the running season and begins the next, in which all totals and own counts are 0. Players keep their schools
  /// and the numbering of their batches.
  package mutating func closeSeason(at time: Instant) -> SeasonClosing {
    let closing = SeasonClosing(season: book.season, closedAt: time, ranking: ranking(of: book.season))
    let sequence = book.nextSequence()
    book.close(at: time, sequence: sequence)
    records.append(.closed(season: closing.season, at: time), sequence: sequence)
    return closing
  }
}
