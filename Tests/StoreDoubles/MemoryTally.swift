// The tally's rows and segments of the double. Part of `MemoryTables`.
import Game
import Store

struct MemoryTally: Sendable {
  private struct TotalKey: Hashable {
    let season: UInt32
    let school: UInt32
  }

  private struct CountKey: Hashable {
    let player: UInt32
    let school: UInt32
    let season: UInt32
  }

  private static let rowsAtOnce = 10_000

  private var schools: [UInt32: TallySchoolRow] = [:]
  private var seasons: [UInt32: ClosedSeasonRow] = [:]
  private var totals: [TotalKey: SchoolTotalRow] = [:]
  private var players: [UInt32: TapPlayerRow] = [:]
  private var counts: [CountKey: TapCountRow] = [:]
  /// The segments, oldest first.
  private var segments: [TallySegment] = []
  private(set) var closings: [UInt32: SeasonClosing] = [:]

  mutating func write(_ change: TallyChange) {
    if let segment = change.segment {
      segments.removeAll { $0.sequences.upperBound >= segment.sequences.lowerBound }
      segments.append(segment)
    }
    for row in change.rows.schools { schools[row.number] = row }
    for row in change.rows.seasons { seasons[row.season] = row }
    for row in change.rows.totals { totals[TotalKey(season: row.season, school: row.school)] = row }
    for row in change.rows.players { players[row.number] = row }
    for row in change.rows.counts {
      counts[CountKey(player: row.player, school: row.school, season: row.season)] = row
    }
    for closing in change.closings { closings[closing.season] = closing }
    segments.removeAll { $0.sequences.upperBound < change.recordsNeededFrom }
  }

  func counts(ofPlayer number: UInt32, season: UInt32) -> [TapCountRow] {
    counts.values.filter { $0.player == number && $0.season == season }.sorted { $0.school < $1.school }
  }

  func hasPlayer(_ player: PlayerID) -> Bool {
    players.values.contains { $0.player == player }
  }

  func hand(to rows: (TallyRows) throws -> Void, _ segments: ([UInt8]) throws -> Void) throws(StoreFailure) {
    try hand(schools.values.sorted { $0.number < $1.number }, \.schools, of: .schools, to: rows)
    try hand(seasons.values.sorted { $0.season < $1.season }, \.seasons, of: .seasons, to: rows)
    try hand(Array(totals.values), \.totals, of: .totals, to: rows)
    try hand(players.values.sorted { $0.number < $1.number }, \.players, of: .players, to: rows)
    try hand(Array(counts.values), \.counts, of: .counts, to: rows)
    do {
      for segment in self.segments { try segments(segment.bytes) }
    } catch {
      throw StoreFailure(error, reading: .segments)
    }
  }

  private func hand<TallyRow>(
    _ all: [TallyRow],
    _ kind: WritableKeyPath<TallyRows, [TallyRow]>,
    of table: TallyPart,
    to rows: (TallyRows) throws -> Void
  ) throws(StoreFailure) {
    for start in stride(from: 0, to: all.count, by: Self.rowsAtOnce) {
      var piece = TallyRows()
      piece[keyPath: kind] = Array(all[start..<min(start + Self.rowsAtOnce, all.count)])
      do {
        try rows(piece)
      } catch {
        throw StoreFailure(error, reading: table)
      }
    }
  }
}
