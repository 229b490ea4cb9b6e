// The tally as rows of tables: each complete in itself and current, with the number of its newest record. Rows may
// therefore be written at different times, and a recovery knows which records a row already has. Plain values.

/// Rows of all kinds. Schools and players appear by the tally's numbers; rows that assign numbers, and those of
/// seasons, must be read no later than rows that refer to them.
package struct TallyRows: Hashable, Sendable {
  package var schools: [TallySchoolRow] = []
  package var seasons: [ClosedSeasonRow] = []
  package var totals: [SchoolTotalRow] = []
  package var players: [TapPlayerRow] = []
  package var counts: [TapCountRow] = []

  package init() {}

  package var count: Int { schools.count + seasons.count + totals.count + players.count + counts.count }
}

/// The number of a school in rows and records: from 0, permanent.
package struct TallySchoolRow: Hashable, Sendable {
  package let number: UInt32
  package let school: SchoolID

  package init(number: UInt32, school: SchoolID) {
    self.number = number
    self.school = school
  }
}

/// A season that has ended. Seasons are numbered from 1; the running one has no row.
package struct ClosedSeasonRow: Hashable, Sendable {
  package let season: UInt32
  package let closedAt: Instant
  package let sequence: UInt64

  package init(season: UInt32, closedAt: Instant, sequence: UInt64) {
    self.season = season
    self.closedAt = closedAt
    self.sequence = sequence
  }
}

/// A school's total of a season.
package struct SchoolTotalRow: Hashable, Sendable {
  package let season: UInt32
  package let school: UInt32
  package let count: Int64
  /// The record that gave the total its value: among equals, the lower ranks higher.
  package let reached: UInt64

  package init(season: UInt32, school: UInt32, count: Int64, reached: UInt64) {
    self.season = season
    self.school = school
    self.count = count
    self.reached = reached
  }
}

/// A player who has chosen a school, and the player's permanent number in rows and records: from 0 in the order of
/// first choices.
package struct TapPlayerRow: Hashable, Sendable {
  package var number: UInt32
  /// The player's id; nil after the account was deleted.
  package var player: PlayerID?
  package var sequence: UInt64
  package var school: UInt32
  /// The own count that the player sees while the season is `shownSeason`.
  package var shown: Int64
  /// The season of `shown`; 0 before the first batch that counts.
  package var shownSeason: UInt32
  package var lastBatch: UInt32
  package var isLastAbnormal: Bool
  /// The answer to `lastBatch`, unless that was abnormal.
  package var answerMyCount: Int64
  package var answerSchoolCount: Int64
  package var abnormalCount: UInt32
  package var isSuspect: Bool

  package init(
    number: UInt32,
    player: PlayerID?,
    sequence: UInt64,
    school: UInt32,
    shown: Int64,
    shownSeason: UInt32,
    lastBatch: UInt32,
    isLastAbnormal: Bool,
    answerMyCount: Int64,
    answerSchoolCount: Int64,
    abnormalCount: UInt32,
    isSuspect: Bool
  ) {
    self.number = number
    self.player = player
    self.sequence = sequence
    self.school = school
    self.shown = shown
    self.shownSeason = shownSeason
    self.lastBatch = lastBatch
    self.isLastAbnormal = isLastAbnormal
    self.answerMyCount = answerMyCount
    self.answerSchoolCount = answerSchoolCount
    self.abnormalCount = abnormalCount
    self.isSuspect = isSuspect
  }
}

/// A player's count for a school in a season, and its voided part.
package struct TapCountRow: Hashable, Sendable {
  package let player: UInt32
  package let school: UInt32
  package let season: UInt32
  package let count: Int64
  package let voided: Int64
  package let sequence: UInt64

  package init(player: UInt32, school: UInt32, season: UInt32, count: Int64, voided: Int64, sequence: UInt64) {
    self.player = player
    self.school = school
    self.season = season
    self.count = count
    self.voided = voided
    self.sequence = sequence
  }
}

/// A row that no tally can have.
package struct TallyRowFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
