// The tables of rankings in periods: those of all time and, for as long as they are kept, those of weeks and months.
extension Schema {
  static let rankings = """
    CREATE TABLE ranking_periods (
      -- 0 is all time.
      number BIGINT PRIMARY KEY CHECK (number >= 0),
      began_at BIGINT NOT NULL,
      ended_at BIGINT NOT NULL CHECK (ended_at > began_at),
      -- Nobody reads it any more, and its rows are deleted piece by piece.
      is_over SMALLINT NOT NULL DEFAULT 0 CHECK (is_over IN (0, 1)),
      UNIQUE (began_at, ended_at)
    ) WITHOUT ROWID;
    INSERT INTO ranking_periods (number, began_at, ended_at) VALUES (0, -9223372036854775808, 9223372036854775807);

    -- Of each player's runs around a land in a period the shortest, of several the first: the rankings, kept in order.
    CREATE TABLE ranked_runs (
      period BIGINT NOT NULL,
      land BLOB NOT NULL REFERENCES lands (id) ON DELETE CASCADE,
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      time_ms BIGINT NOT NULL CHECK (time_ms > 0),
      captured_at BIGINT NOT NULL,
      PRIMARY KEY (period, land, player)
    ) WITHOUT ROWID;
    INSERT INTO ranked_runs (period, land, player, time_ms, captured_at)
      SELECT 0, land, player, time_ms, captured_at FROM land_bests;
    DROP TABLE land_bests;
    CREATE UNIQUE INDEX ranked_runs_rank ON ranked_runs (period, land, time_ms, captured_at, player);
    CREATE INDEX ranked_runs_player ON ranked_runs (player, period, captured_at, land);
    CREATE INDEX land_runs_captured ON land_runs (captured_at);
    """
}
