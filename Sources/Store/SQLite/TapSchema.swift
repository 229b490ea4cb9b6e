// The tables of school taps: the data to rebuild the tally, and the final rankings of seasons.
extension Schema {
  static let taps = """
    CREATE TABLE tally_segments (
      -- The numbers of its records.
      first INTEGER PRIMARY KEY,
      last BIGINT NOT NULL CHECK (last >= first),
      bytes BLOB NOT NULL
    );

    -- Schools and players go by the tally's own numbers; `sequence` and `reached` are numbers of records.
    CREATE TABLE tap_schools (
      number INTEGER PRIMARY KEY,
      school TEXT NOT NULL UNIQUE CHECK (length(school) BETWEEN 1 AND 16)
    );

    -- Seasons that have ended.
    CREATE TABLE tap_seasons (
      season INTEGER PRIMARY KEY CHECK (season > 0),
      closed_at BIGINT NOT NULL,
      sequence BIGINT NOT NULL
    );

    CREATE TABLE tap_totals (
      season BIGINT NOT NULL CHECK (season > 0),
      school BIGINT NOT NULL REFERENCES tap_schools (number),
      count BIGINT NOT NULL CHECK (count >= 0),
      reached BIGINT NOT NULL,
      PRIMARY KEY (season, school)
    ) WITHOUT ROWID;

    CREATE TABLE tap_players (
      number INTEGER PRIMARY KEY,
      -- None of one who was deleted; no key of players, for the tally forgets in its own time.
      player BLOB UNIQUE CHECK (length(player) = 16),
      sequence BIGINT NOT NULL,
      school BIGINT NOT NULL REFERENCES tap_schools (number),
      shown BIGINT NOT NULL CHECK (shown >= 0),
      shown_season BIGINT NOT NULL,
      last_batch BIGINT NOT NULL,
      is_last_abnormal SMALLINT NOT NULL CHECK (is_last_abnormal IN (0, 1)),
      answer_my_count BIGINT NOT NULL,
      answer_school_count BIGINT NOT NULL,
      abnormal_count BIGINT NOT NULL,
      is_suspect SMALLINT NOT NULL CHECK (is_suspect IN (0, 1))
    );

    CREATE TABLE tap_counts (
      player BIGINT NOT NULL REFERENCES tap_players (number),
      school BIGINT NOT NULL REFERENCES tap_schools (number),
      season BIGINT NOT NULL CHECK (season > 0),
      count BIGINT NOT NULL CHECK (count >= 0),
      voided BIGINT NOT NULL CHECK (voided BETWEEN 0 AND count),
      sequence BIGINT NOT NULL,
      PRIMARY KEY (player, school, season)
    ) WITHOUT ROWID;

    -- What was told when a season was closed; its ranking may have no rows.
    CREATE TABLE season_closings (
      season INTEGER PRIMARY KEY CHECK (season > 0),
      closed_at BIGINT NOT NULL
    );
    CREATE TABLE season_rankings (
      season BIGINT NOT NULL REFERENCES season_closings (season),
      rank BIGINT NOT NULL CHECK (rank > 0),
      school TEXT NOT NULL CHECK (length(school) BETWEEN 1 AND 16),
      count BIGINT NOT NULL CHECK (count > 0),
      PRIMARY KEY (season, rank)
    ) WITHOUT ROWID;
    """
}
