// The tables of rankings as they were up to schema 6, without proposals and places, for tests that open an older file.

enum OlderRankings {
  /// Brings a file back to the rankings of schema 6. The tables of periods and of proposals are gone.
  static let sql = """
    \(OlderPlaces.sql)
    DROP TABLE land_proposals; DROP INDEX land_runs_captured; DROP TABLE ranking_periods;
    CREATE TABLE land_bests (
      land BLOB NOT NULL REFERENCES lands (id) ON DELETE CASCADE,
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      time_ms BIGINT NOT NULL CHECK (time_ms > 0),
      captured_at BIGINT NOT NULL,
      PRIMARY KEY (land, player)
    ) WITHOUT ROWID;
    INSERT INTO land_bests SELECT land, player, time_ms, captured_at FROM ranked_runs WHERE period = 0;
    DROP TABLE ranked_runs;
    """
}
