// The table of players who are being erased, and the columns that decide which guests and devices may be forgotten.
extension Schema {
  static let erasures = """
    CREATE TABLE erasures (
      player BLOB PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
      at BIGINT NOT NULL,
      -- Segments up to there may have the player's texts, and games that were on there may have been theirs.
      segment BIGINT NOT NULL,
      -- The room whose journal is in hand, and the last of its rows that is done.
      room BLOB CHECK (length(room) = 16),
      done_segment BIGINT,
      CHECK ((room IS NULL) = (done_segment IS NULL))
    ) WITHOUT ROWID;

    -- When maintenance looks next whether a guest may be forgotten; none for those who are kept as long as a session is.
    ALTER TABLE players ADD COLUMN look_at BIGINT;
    UPDATE players SET look_at = 0 WHERE email IS NULL;
    CREATE INDEX players_look ON players (look_at) WHERE look_at IS NOT NULL;

    -- Whether the session was begun by the device that the player has.
    ALTER TABLE sessions ADD COLUMN is_by_device SMALLINT NOT NULL DEFAULT 0 CHECK (is_by_device IN (0, 1));
    """

  static let deletions = """
    ALTER TABLE erasures
      -- Segments up to there may have the player's texts, and games that were on since the one in `segment` may have been
      -- theirs; none as long as rooms tell of the player.
      ADD COLUMN last_segment BIGINT;
    UPDATE erasures SET last_segment = segment;
    """
}
