// The disk of a tally: rows by their keys, and segments that are still needed beside the rows. A value: going on with
// an earlier copy of it alone is a crash.
import Game

struct TallyDisk: Equatable {
  private struct Total: Hashable {
    let season: UInt32
    let school: UInt32
  }

  private struct Count: Hashable {
    let player: UInt32
    let total: Total
  }

  private var schools: [UInt32: TallySchoolRow] = [:]
  private var seasons: [UInt32: ClosedSeasonRow] = [:]
  private var totals: [Total: SchoolTotalRow] = [:]
  private var players: [UInt32: TapPlayerRow] = [:]
  private var counts: [Count: TapCountRow] = [:]
  private(set) var segments: [TallySegment] = []

  /// One commit: all of it or nothing.
  mutating func commit(_ rows: TallyRows, _ segment: TallySegment?) {
    for row in rows.schools { schools[row.number] = row }
    for row in rows.seasons { seasons[row.season] = row }
    for row in rows.totals { totals[Total(season: row.season, school: row.school)] = row }
    for row in rows.players { players[row.number] = row }
    for row in rows.counts {
      counts[Count(player: row.player, total: Total(season: row.season, school: row.school))] = row
    }
    if let segment { segments.append(segment) }
  }

  /// Forgets segments with only older records than this one.
  mutating func forget(before sequence: UInt64) {
    segments.removeAll { $0.sequences.upperBound < sequence }
  }

  mutating func forgetSegments() {
    segments = []
  }

  /// A player's counts of a season, from the disk.
  func counts(ofNumber number: Int, season: UInt32) -> [TapCountRow] {
    counts.values.filter { $0.player == number && $0.season == season }
  }

  /// All rows, in no order that anything may depend on.
  var rows: TallyRows {
    var rows = TallyRows()
    rows.schools = Array(schools.values)
    rows.seasons = Array(seasons.values)
    rows.totals = Array(totals.values)
    rows.players = Array(players.values)
    rows.counts = Array(counts.values)
    return rows
  }

  /// All rows in pieces, as from a store; small enough that there are several.
  var pieces: [TallyRows] {
    let all = rows
    var first = TallyRows()
    (first.schools, first.seasons, first.totals) = (all.schools, all.seasons, all.totals)
    let players = all.players.sorted { $0.number < $1.number }
    return [first]
      + stride(from: 0, to: players.count, by: 2).map {
        var piece = TallyRows()
        piece.players = Array(players[$0..<min($0 + 2, players.count)])
        return piece
      }
      + all.counts.map {
        var piece = TallyRows()
        piece.counts = [$0]
        return piece
      }
  }

  /// Whether a player's id is in any row, or in a record of any remaining segment.
  func knows(_ player: PlayerID) throws -> Bool {
    if players.values.contains(where: { $0.player == player }) { return true }
    return try segments.contains {
      try TallySegment.records(of: $0.bytes).records.contains {
        if case .chosen(_, player, _, _) = $0 { true } else { false }
      }
    }
  }

  /// The tally recovered from the disk.
  func recovered() throws -> (tally: Tally, mismatches: Int) {
    var tally = Tally()
    for piece in pieces {
      try tally.restore(piece)
    }
    var mismatches = 0
    for segment in segments {
      mismatches += try tally.apply(segment.bytes)
    }
    return (tally, mismatches)
  }
}
