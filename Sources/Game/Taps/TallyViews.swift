// Views of the tally: for players, the ranking, operators and checks. Part of the tally's value. None depends on the
// order in which anything was found, so a recovered tally shows the same.

/// The tally's view of a player.
package struct TapStanding: Hashable, Sendable {
  package let player: PlayerID
  package let school: SchoolID
  /// The count since the last choice, in this season.
  package let myCount: Int64
  /// The number of the newest batch that counted or was abnormal; 0 before the first.
  package let lastBatch: UInt32
  package let abnormalCount: UInt32
  package let isSuspect: Bool
}

/// A player's count for a school in a season, and its voided part.
package struct CountedTaps: Hashable, Sendable {
  package let school: SchoolID
  package let season: UInt32
  package let count: Int64
  package let voided: Int64
}

/// A school's total that the ranking has not taken yet. `school` is the tally's own number, from 0.
package struct SchoolStanding: Hashable, Sendable {
  package let school: Int
  package let count: Int64
  package let reached: UInt64
}

extension Tally {
  /// The newest record's number; 0 before the first.
  package var sequence: UInt64 { book.sequence }

  /// The running season, from 1.
  package var season: UInt32 { book.season }

  /// The time of a season's end; nil for a running or future one.
  package func end(of season: UInt32) -> Instant? {
    book.totals(of: season)?.end?.at
  }

  /// The number of players who have chosen a school, including forgotten ones.
  package var playerCount: Int { book.players.count }

  /// The number of schools that were ever chosen; their numbers are below it.
  package var schoolCount: Int { book.schools.count }

  /// The school with one of the tally's own numbers.
  package func school(_ number: Int) -> SchoolID { book.schools[number] }

  /// The tally's own number of a school; nil if nobody has ever chosen it.
  package func number(of school: SchoolID) -> Int? { book.numbers[school].map { Int($0) } }

  /// The standing of a player; nil for one who has never chosen a school.
  package func standing(of player: PlayerID) -> TapStanding? {
    book.slot(of: player).flatMap { standing(of: book[$0]) }
  }

  /// The newest record that has changed the player's row: once it is durable, the whole view of the player is.
  package func newestRecord(of player: PlayerID) -> UInt64? {
    book.slot(of: player).map { book[$0].sequence }
  }

  /// Suspects, who once had three abnormal batches within a minute, except forgotten ones: most abnormal batches first.
  package var suspects: [TapStanding] {
    book.players.filter(\.isSuspect).compactMap { standing(of: $0) }
      .sorted { ($1.abnormalCount, $0.player) < ($0.abnormalCount, $1.player) }
  }

  /// A school's total of a season; 0 for one without counts.
  package func total(of school: SchoolID, in season: UInt32) -> Int64 {
    guard let number = book.numbers[school], let totals = book.totals(of: season) else { return 0 }
    return totals[number].count
  }

  /// The ranking of a season by its current totals: counts descending, equal ones by the earlier time of reaching them.
  /// Of two that one void brought there together, the school that was chosen first comes first.
  package func ranking(of season: UInt32) -> [RankedSchool] {
    guard let totals = book.totals(of: season)?.totals else { return [] }
    let order = totals.indices.filter { totals[$0].count > 0 }.sorted {
      (totals[$1].count, totals[$0].reached, $0) < (totals[$0].count, totals[$1].reached, $1)
    }
    return order.enumerated().map {
      RankedSchool(rank: $0.offset + 1, school: book.schools[$0.element], count: totals[$0.element].count)
    }
  }

  /// A player's counts, by season and school.
  package func counts(of player: PlayerID) -> [CountedTaps] {
    counts(of: player, in: 1...book.season)
  }

  /// A player's counts in some seasons.
  package func counts(of player: PlayerID, in seasons: ClosedRange<UInt32>) -> [CountedTaps] {
    number(of: player).map { counts(ofNumber: $0, in: seasons) } ?? []
  }

  /// The counts of a player by the tally's own number, deleted or not; empty for an unused number.
  package func counts(ofNumber number: Int) -> [CountedTaps] {
    counts(ofNumber: number, in: 1...book.season)
  }

  private func counts(ofNumber number: Int, in seasons: ClosedRange<UInt32>) -> [CountedTaps] {
    guard book.players.indices.contains(number) else { return [] }
    let slot = UInt32(number)
    return seasons.flatMap { season in
      book.schools.indices.compactMap { school in
        book.counts[TapCounts.Key(player: slot, school: UInt32(school), season: season)].map {
          CountedTaps(school: book.schools[school], season: season, count: $0.count, voided: $0.voided)
        }
      }
      .sorted { $0.school < $1.school }
    }
  }

  /// Takes the schools whose totals of the running season have changed since the last call; after a closing and after a
  /// recovery, all that have counted in it. For a `SchoolRanking` by the tally's numbers, which must be emptied at a
  /// closing.
  package mutating func takeStandings() -> [SchoolStanding] {
    book.takeForRanking().map {
      let total = book.total(of: $0, in: book.season)
      return SchoolStanding(school: Int($0), count: total.count, reached: total.reached)
    }
  }

  private func standing(of player: TallyPlayer) -> TapStanding? {
    guard let id = player.id else { return nil }
    return TapStanding(
      player: id,
      school: book.schools[Int(player.school)],
      myCount: player.myCount(in: book.season),
      lastBatch: player.lastBatch,
      abnormalCount: player.abnormalCount,
      isSuspect: player.isSuspect
    )
  }
}
