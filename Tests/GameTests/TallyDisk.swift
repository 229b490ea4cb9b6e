// What a disk has of a tally: rows by their keys, and segments that no row has made needless. A value, so that a crash is to go
// on with an earlier copy of nothing but this.
import Game

struct TallyDisk: Equatable {
  private struct Total: Hashable {
    let season: UInt32
    let school: SchoolID
  }

  private struct Count: Hashable {
    let player: PlayerID
    let total: Total
  }

  private var schools: [UInt32: TallySchoolRow] = [:]
  private var seasons: [UInt32: ClosedSeasonRow] = [:]
  private var totals: [Total: SchoolTotalRow] = [:]
  private var players: [PlayerID: TapPlayerRow] = [:]
  private var counts: [Count: TapCountRow] = [:]
  private(set) var segments: [TallySegment] = []

  /// One commit: all of it or nothing.
  mutating func commit(_ rows: TallyRows, _ segment: TallySegment?) {
    for row in rows.schools { schools[row.number] = row }
    for row in rows.seasons { seasons[row.season] = row }
    for row in rows.totals { totals[Total(season: row.season, school: row.school)] = row }
    for row in rows.players { players[row.player] = row }
    for row in rows.counts {
      counts[Count(player: row.player, total: Total(season: row.season, school: row.school))] = row
    }
    if let segment { segments.append(segment) }
  }

  /// Forgets segments all of whose records are older than this one.
  mutating func forget(before sequence: UInt64) {
    segments.removeAll { $0.sequences.upperBound < sequence }
  }

  mutating func forgetSegments() {
    segments = []
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

  /// The tally that comes back from it.
  func recovered() throws -> (tally: Tally, misfits: Int) {
    var tally = try Tally(rows: rows)
    var misfits = 0
    for segment in segments {
      misfits += try tally.apply(segment.bytes)
    }
    return (tally, misfits)
  }
}
