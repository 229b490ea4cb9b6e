// Writes the tally to disk as rows, and restores it from rows and segments. Part of the tally's value. Rows may be
// written a few at a time, each in its turn; records keep the changes that no row has yet. Both may have been damaged
// on the disk.
// Decisions: 062 (docs/decisions).

extension Tally {
  /// The tally of these rows, written at any times; `apply` brings it up to date.
  package init(rows: TallyRows) throws(TallyRowFault) {
    self.init()
    try restore(rows)
  }

  /// Restores more rows, before anything is applied or asked. Schools, seasons and players come without gaps, in pieces
  /// by their numbers.
  package mutating func restore(_ rows: TallyRows) throws(TallyRowFault) {
    try restoreSchools(rows.schools)
    try restoreSeasons(rows.seasons)
    for row in rows.totals {
      try restore(row)
    }
    try restorePlayers(rows.players)
    for row in rows.counts {
      try restore(row)
    }
    markClosedSchools()
  }

  /// Puts an old season's counts, read from the store, back into memory; counts already there are newer and stay.
  package mutating func putBack(_ rows: [TapCountRow]) throws(TallyRowFault) {
    for row in rows {
      try requireKnown(school: row.school, season: row.season)
      let key = TapCounts.Key(player: row.player, school: row.school, season: row.season)
      guard book.counts[key] == nil else { continue }
      try require(row.sequence <= book.sequence, "record of a count")
      try require(row.count - row.voided <= book.total(of: row.school, in: row.season).count, "count of a player")
      try restore(row)
    }
  }

  private mutating func restoreSchools(_ rows: [TallySchoolRow]) throws(TallyRowFault) {
    for row in rows.sorted(by: { $0.number < $1.number }) {
      try require(row.number == book.schools.count && book.numbers[row.school] == nil, "number of a school")
      book.restore(row.school)
    }
  }

  private mutating func restoreSeasons(_ rows: [ClosedSeasonRow]) throws(TallyRowFault) {
    for row in rows.sorted(by: { $0.season < $1.season }) {
      try require(row.season == book.season && isPossible(row.sequence), "season")
      book.restoreEnd(at: row.closedAt, sequence: row.sequence)
    }
  }

  private mutating func restore(_ row: SchoolTotalRow) throws(TallyRowFault) {
    try requireKnown(school: row.school, season: row.season)
    try require(isPossible(row.count) && isPossible(row.reached), "total of a school")
    let isNew = book.restoreTotal(of: row.school, in: row.season, count: row.count, reached: row.reached)
    try require(isNew, "total of a school, twice")
  }

  private mutating func restorePlayers(_ rows: [TapPlayerRow]) throws(TallyRowFault) {
    for row in rows.sorted(by: { $0.number < $1.number }) {
      try require(row.number == book.players.count, "number of a player")
      try requireKnown(school: row.school, season: max(row.shownSeason, 1))
      try require(
        isPossible(row.shown) && isPossible(row.answerMyCount) && isPossible(row.answerSchoolCount)
          && isPossible(row.sequence),
        "row of a player"
      )
      try require(book.restore(TallyPlayer(row)), "player, twice")
    }
  }

  private mutating func restore(_ row: TapCountRow) throws(TallyRowFault) {
    try requireKnown(school: row.school, season: row.season)
    guard row.player < book.players.count else { throw TallyRowFault("a count of an unknown player") }
    try require(
      isPossible(row.count) && 0...row.count ~= row.voided && isPossible(row.sequence),
      "count of a player"
    )
    let key = TapCounts.Key(player: row.player, school: row.school, season: row.season)
    let isNew = book.restore(key, count: row.count, voided: row.voided, sequence: row.sequence)
    try require(isNew, "count of a player, twice")
  }

  private func requireKnown(school: UInt32, season: UInt32) throws(TallyRowFault) {
    try require(1...book.season ~= season, "season")
    guard school < book.schools.count else { throw TallyRowFault("a number of no school") }
  }

  private func isPossible(_ number: some BinaryInteger) -> Bool {
    number >= 0 && number <= TallyRecord.greatestOfRow
  }

  private func require(_ isPossible: Bool, _ what: String) throws(TallyRowFault) {
    guard isPossible else { throw TallyRowFault("an impossible \(what)") }
  }
}
