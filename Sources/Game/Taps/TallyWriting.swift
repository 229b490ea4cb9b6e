// Writes the tally's changed rows, a few at a time, so that recoveries begin late and records can be forgotten. Part of
// the tally's value.

extension Tally {
  /// Takes rows that have changed since they were last taken, at most this many, those that have waited longest first;
  /// none when all have been taken. Each has its current values.
  ///
  /// Rows contain all records made before, so these must be in the same commit or an earlier one: take the records
  /// right after the rows, under the same lock.
  package mutating func takeChangedRows(max most: Int) -> TallyRows {
    var rows = TallyRows()
    while rows.count < most, takeChangedRow(into: &rows) {}
    return rows
  }

  /// The number of rows that wait to be written.
  package var changedRowCount: Int { book.changedCount }

  /// The oldest record that a recovery needs besides the rows taken so far: once these are durable, all older records
  /// may be forgotten.
  package var recordsNeededFrom: UInt64 {
    let waiting = [
      book.changedSchools.since, book.changedSeasons.since, book.changedPlayers.since, book.changedTotals.since,
      book.counts.changedSince,
    ]
    return waiting.compactMap { $0 }.min() ?? book.sequence + 1
  }

  private mutating func takeChangedRow(into rows: inout TallyRows) -> Bool {
    // Rows that others refer to come first. Of the rest, a player's row was queued earlier and so comes before the
    // player's counts, and players' rows come first in the order of their numbers.
    if let number = book.changedSchools.popFirst() {
      rows.schools.append(TallySchoolRow(number: number, school: book.schools[Int(number)]))
      return true
    }
    if let season = book.changedSeasons.popFirst() {
      rows.seasons += closedRow(of: season)
      return true
    }
    let players = book.changedPlayers.since ?? .max
    let totals = book.changedTotals.since ?? .max
    let counts = book.counts.changedSince ?? .max
    if players <= min(totals, counts), let player = book.popChangedPlayer() {
      rows.players.append(player)
    } else if totals <= counts, let place = book.popChangedTotal() {
      rows.totals.append(row(of: place))
    } else if let count = book.popChangedCount() {
      rows.counts.append(row(of: count))
    } else {
      return false
    }
    return true
  }

  private func closedRow(of season: UInt32) -> [ClosedSeasonRow] {
    guard let end = book.totals(of: season)?.end else { return [] }
    return [ClosedSeasonRow(season: season, closedAt: end.at, sequence: end.sequence)]
  }

  private func row(of place: TallyBook.TotalPlace) -> SchoolTotalRow {
    let total = book.total(of: place.school, in: place.season)
    return SchoolTotalRow(season: place.season, school: place.school, count: total.count, reached: total.reached)
  }

  private func row(of count: TapCounts.Count) -> TapCountRow {
    TapCountRow(
      player: count.key.player,
      school: count.key.school,
      season: count.key.season,
      count: count.count,
      voided: count.voided,
      sequence: count.sequence
    )
  }
}
