// The tables of links to games and of consents. They go with the results of their players.
extension Schema {
  static let tracks = """
    CREATE TABLE track_links (
      -- Of the link's token.
      digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
      room BLOB NOT NULL,
      number BIGINT NOT NULL,
      player BLOB NOT NULL,
      made_at BIGINT NOT NULL,
      FOREIGN KEY (room, number, player) REFERENCES results (room, number, player) ON DELETE CASCADE
    ) WITHOUT ROWID;
    CREATE INDEX track_links_game ON track_links (room, number, player);
    CREATE INDEX track_links_player ON track_links (player);

    -- Whose way and nickname the links of others show.
    CREATE TABLE track_consents (
      room BLOB NOT NULL,
      number BIGINT NOT NULL,
      player BLOB NOT NULL,
      PRIMARY KEY (room, number, player),
      FOREIGN KEY (room, number, player) REFERENCES results (room, number, player) ON DELETE CASCADE
    ) WITHOUT ROWID;
    """
}
