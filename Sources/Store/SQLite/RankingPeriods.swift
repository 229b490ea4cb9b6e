// The periods whose rankings are kept. On the writer's queue. A period's rankings are filled from the runs when it is
// begun; from then on each new run goes into all periods that it lies in.
// Decisions: 106 (docs/decisions).
import GRDB
import Game

extension SQLiteStore {
  package func keepRankings(of periods: [RankingPeriod], _ completion: @escaping Completion<Void>) {
    write(completion) { db in
      for period in periods {
        // Most periods are known already, and then nothing is written.
        let isKnown = try db.finds(
          "SELECT 1 FROM ranking_periods WHERE began_at = ? AND ended_at = ?",
          period.range.lowerBound,
          period.range.upperBound
        )
        if !isKnown { try db.transaction { try Self.begin(period, on: db) } }
      }
    }
  }

  private static func begin(_ period: RankingPeriod, on db: Database) throws {
    let number: Int64 = try db.rows("SELECT MAX(number) + 1 FROM ranking_periods")[0].value(0)
    let (begin, end) = (period.range.lowerBound, period.range.upperBound)
    try db.run("INSERT INTO ranking_periods (number, began_at, ended_at) VALUES (?, ?, ?)", number, begin, end)
    try db.run(
      """
      INSERT INTO ranked_runs (period, land, player, time_ms, captured_at)
      SELECT ?, land, player, time_ms, captured_at FROM (
        SELECT land, player, time_ms, captured_at,
          ROW_NUMBER() OVER (PARTITION BY land, player ORDER BY time_ms, captured_at) AS place
        FROM land_runs WHERE captured_at >= ? AND captured_at < ?
      ) AS placed WHERE place = 1
      """,
      number,
      begin,
      end
    )
  }
}

extension Forgetting {
  /// Deletes rankings of periods that have ended; returns the number of rows, at most about one piece.
  func dropRankings(overAt moment: Instant) throws -> Int {
    let ended = try db.run("UPDATE ranking_periods SET is_over = 1 WHERE ended_at <= ? AND is_over = 0", moment)
    guard let row = try db.row("SELECT number FROM ranking_periods WHERE is_over = 1 ORDER BY number LIMIT 1") else {
      return 0
    }
    let number: Int64 = try row.value(0)
    let runs = try db.run(
      """
      DELETE FROM ranked_runs WHERE period = ? AND (land, player) IN (
        SELECT land, player FROM ranked_runs WHERE period = ? LIMIT ?)
      """,
      number,
      number,
      Self.rowsAtOnce
    )
    if runs < Self.rowsAtOnce { try db.run("DELETE FROM ranking_periods WHERE number = ?", number) }
    return ended + runs + 1
  }
}
