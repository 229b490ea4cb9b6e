// Reads of the tally's rows and segments: at the start, by commands and by the check, each on one snapshot. An
// unreadable row names its table and ends the read, because without it batches would count twice. Missing or unreadable
// segments are handed over as such.
import GRDB
import Game

extension SQLiteStore {
  package func tally(
    rows: (TallyRows) throws -> Void,
    segments: ([UInt8]) throws -> Void
  ) throws(StoreFailure) {
    try read { db in try TapReading(db: db).hand(rows: rows, segments: segments) }
  }

  package func finalRanking(of season: UInt32) throws(StoreFailure) -> SeasonClosing? {
    try read { db in try TapReading(db: db).finalRanking(of: season) }
  }

  package func tapCounts(
    ofPlayer number: UInt32,
    season: UInt32,
    _ completion: @escaping Completion<[TapCountRow]>
  ) {
    read(completion) { [taps] db in
      // The stored rows lack acknowledged taps.
      if let failure = taps.failure { throw failure }
      do {
        return try TapReading(db: db).counts(ofPlayer: number, season: season)
      } catch {
        throw StoreFailure(error, reading: .counts) { StoreFailure($0) }
      }
    }
  }
}

struct TapReading {
  /// The bound on the memory of a read.
  private static let rowsAtOnce = 10_000

  let db: Database

  func hand(rows: (TallyRows) throws -> Void, segments: ([UInt8]) throws -> Void) throws {
    try hand(.schools, "SELECT number, school FROM tap_schools ORDER BY number", \.schools, to: rows) {
      TallySchoolRow(number: try $0.value(0), school: try $0.value(1))
    }
    try hand(.seasons, "SELECT season, closed_at, sequence FROM tap_seasons ORDER BY season", \.seasons, to: rows) {
      ClosedSeasonRow(season: try $0.value(0), closedAt: try $0.value(1), sequence: try $0.value(2))
    }
    try hand(.totals, "SELECT season, school, count, reached FROM tap_totals", \.totals, to: rows) {
      SchoolTotalRow(season: try $0.value(0), school: try $0.value(1), count: try $0.value(2), reached: try $0.value(3))
    }
    try hand(
      .players,
      """
      SELECT number, player, sequence, school, shown, shown_season, last_batch, is_last_abnormal, answer_my_count,
        answer_school_count, abnormal_count, is_suspect
      FROM tap_players ORDER BY number
      """,
      \.players,
      to: rows
    ) { try TapPlayerRow(row: $0) }
    try hand(.counts, "SELECT player, school, season, count, voided, sequence FROM tap_counts", \.counts, to: rows) {
      try TapCountRow(row: $0)
    }
    do {
      try handSegments(to: segments)
    } catch {
      throw StoreFailure(error, reading: .segments) { StoreFailure($0) }
    }
  }

  func counts(ofPlayer number: UInt32, season: UInt32) throws -> [TapCountRow] {
    try db.rows(
      """
      SELECT player, school, season, count, voided, sequence FROM tap_counts
      WHERE player = ? AND season = ? ORDER BY school
      """,
      number,
      season
    ).map { try TapCountRow(row: $0) }
  }

  func finalRanking(of season: UInt32) throws -> SeasonClosing? {
    guard let closing = try db.row("SELECT closed_at FROM season_closings WHERE season = ?", season) else { return nil }
    let ranking = try db.rows("SELECT rank, school, count FROM season_rankings WHERE season = ? ORDER BY rank", season)
    return SeasonClosing(
      season: season,
      closedAt: try closing.value(0),
      ranking: try ranking.map { RankedSchool(rank: try $0.value(0), school: try $0.value(1), count: try $0.value(2)) }
    )
  }

  private func handSegments(to segments: ([UInt8]) throws -> Void) throws {
    let cursor = try Row.fetchCursor(db, sql: "SELECT first, last, bytes FROM tally_segments ORDER BY first")
    var last: Int64?
    while let row = try cursor.next() {
      let first: Int64 = try row.value(0)
      // A damaged number on the disk may be the greatest possible.
      if let last, last < .max, first > last + 1 { try segments([]) }
      last = try? row.value(1)
      try segments((try? row.value(2, Blob.self).bytes) ?? [])
    }
  }

  private func hand<TallyRow>(
    _ table: TallyPart,
    _ query: String,
    _ kind: WritableKeyPath<TallyRows, [TallyRow]>,
    to rows: (TallyRows) throws -> Void,
    _ decode: (Row) throws -> TallyRow
  ) throws {
    do {
      let cursor = try Row.fetchCursor(db, sql: query)
      var piece = TallyRows()
      while let row = try cursor.next() {
        piece[keyPath: kind].append(try decode(row))
        guard piece.count == Self.rowsAtOnce else { continue }
        try rows(piece)
        piece = TallyRows()
      }
      if piece.count > 0 { try rows(piece) }
    } catch {
      throw StoreFailure(error, reading: table) { StoreFailure($0) }
    }
  }
}

extension TapCountRow {
  fileprivate init(row: Row) throws {
    self.init(
      player: try row.value(0),
      school: try row.value(1),
      season: try row.value(2),
      count: try row.value(3),
      voided: try row.value(4),
      sequence: try row.value(5)
    )
  }
}

extension TapPlayerRow {
  fileprivate init(row: Row) throws {
    self.init(
      number: try row.value(0),
      player: try row.decode(PlayerID?.self, atIndex: 1),
      sequence: try row.value(2),
      school: try row.value(3),
      shown: try row.value(4),
      shownSeason: try row.value(5),
      lastBatch: try row.value(6),
      isLastAbnormal: try row.value(7),
      answerMyCount: try row.value(8),
      answerSchoolCount: try row.value(9),
      abnormalCount: try row.value(10),
      isSuspect: try row.value(11)
    )
  }
}
