// The table of the server's history.
enum HistorySchema {
  static let minutes = """
    CREATE TABLE minutes (
      -- A ring of a day: a minute replaces the one of the same time of the day.
      slot BIGINT PRIMARY KEY CHECK (slot = at / 60000 % 1440),
      at BIGINT NOT NULL CHECK (at >= 0),
      span_ms BIGINT NOT NULL,
      players BIGINT NOT NULL,
      connections BIGINT NOT NULL,
      rooms BIGINT NOT NULL,
      games BIGINT NOT NULL,
      received BIGINT NOT NULL,
      sent BIGINT NOT NULL,
      bytes_received BIGINT NOT NULL,
      bytes_sent BIGINT NOT NULL,
      frames BIGINT NOT NULL,
      errors BIGINT NOT NULL,
      taps BIGINT NOT NULL,
      commits BIGINT NOT NULL,
      commit_failures BIGINT NOT NULL,
      cpu_ms BIGINT NOT NULL,
      resident_bytes BIGINT NOT NULL,
      send_queue_bytes BIGINT NOT NULL,
      load_permille BIGINT NOT NULL,
      -- None without a tick, or without a commit.
      lateness_us BIGINT,
      commit_us BIGINT
    ) WITHOUT ROWID;
    """
}
