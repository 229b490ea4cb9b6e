// Writes given rows of the tally into their tables. Part of `TapWriting`. Some hundred rows come with each commit. So
// each kind's statement is looked up once, and rows are sorted by key, which keeps rows of one page together.
import GRDB
import Game

struct TapRowWriting {
  let db: Database

  func write(_ rows: TallyRows) throws {
    try write(rows.schools.sorted { $0.number < $1.number })
    try write(rows.seasons)
    try write(rows.totals.sorted { ($0.season, $0.school) < ($1.season, $1.school) })
    // A deleted player's row releases the identifier before a new player, with a greater number, may get it.
    try write(rows.players.sorted { $0.number < $1.number })
    try write(rows.counts.sorted { ($0.player, $0.school, $0.season) < ($1.player, $1.school, $1.season) })
  }

  private func write(_ rows: [TallySchoolRow]) throws {
    guard !rows.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO tap_schools (number, school) VALUES (?, ?)
        ON CONFLICT (number) DO UPDATE SET school = excluded.school
        """
    )
    for row in rows { try statement.execute(arguments: [row.number, row.school]) }
  }

  private func write(_ rows: [ClosedSeasonRow]) throws {
    guard !rows.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO tap_seasons (season, closed_at, sequence) VALUES (?, ?, ?)
        ON CONFLICT (season) DO UPDATE SET closed_at = excluded.closed_at, sequence = excluded.sequence
        """
    )
    for row in rows { try statement.execute(arguments: [row.season, row.closedAt, row.sequence]) }
  }

  private func write(_ rows: [SchoolTotalRow]) throws {
    guard !rows.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO tap_totals (season, school, count, reached) VALUES (?, ?, ?, ?)
        ON CONFLICT (season, school) DO UPDATE SET count = excluded.count, reached = excluded.reached
        """
    )
    for row in rows { try statement.execute(arguments: [row.season, row.school, row.count, row.reached]) }
  }

  private func write(_ rows: [TapPlayerRow]) throws {
    guard !rows.isEmpty else { return }
    // A number belongs to one player for ever, so the identifier, which has an index, is written once.
    let known = try db.cachedStatement(
      sql: """
        INSERT INTO tap_players (number, player, sequence, school, shown, shown_season, last_batch, is_last_abnormal,
          answer_my_count, answer_school_count, abnormal_count, is_suspect)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (number) DO UPDATE SET sequence = excluded.sequence, school = excluded.school, shown = excluded.shown,
          shown_season = excluded.shown_season, last_batch = excluded.last_batch,
          is_last_abnormal = excluded.is_last_abnormal, answer_my_count = excluded.answer_my_count,
          answer_school_count = excluded.answer_school_count, abnormal_count = excluded.abnormal_count,
          is_suspect = excluded.is_suspect
        """
    )
    for row in rows {
      if row.player == nil { try db.run("UPDATE tap_players SET player = NULL WHERE number = ?", row.number) }
      try known.execute(
        arguments: [
          row.number, row.player, row.sequence, row.school, row.shown, row.shownSeason, row.lastBatch,
          row.isLastAbnormal, row.answerMyCount, row.answerSchoolCount, row.abnormalCount, row.isSuspect,
        ]
      )
    }
  }

  private func write(_ rows: [TapCountRow]) throws {
    guard !rows.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO tap_counts (player, school, season, count, voided, sequence) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (player, school, season) DO UPDATE SET count = excluded.count, voided = excluded.voided,
          sequence = excluded.sequence
        """
    )
    for row in rows {
      try statement.execute(arguments: [row.player, row.school, row.season, row.count, row.voided, row.sequence])
    }
  }
}
