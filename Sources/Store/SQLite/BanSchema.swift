// The tables by which bans hold for more than one player: players' browsers, and bans of new guests by their network;
// and what operators find and help players by.
//
// A browser is named by the digest of the number in its cookie, a network by a keyed digest: neither an address nor a
// cookie can be read from here. Nothing but bans and rooms' bars looks at either.
// Decisions: 140 (docs/decisions).
enum BanSchema {
  static let bans = """
    ALTER TABLE players ADD COLUMN
      -- When the row was made; none in rows of before.
      made_at BIGINT;

    -- The browsers that players have come with lately.
    CREATE TABLE browsers (
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      browser BLOB NOT NULL CHECK (length(browser) = 32),
      seen_at BIGINT NOT NULL,
      PRIMARY KEY (player, browser)
    ) WITHOUT ROWID;
    CREATE INDEX browsers_browser ON browsers (browser, seen_at);
    CREATE INDEX browsers_seen ON browsers (seen_at);

    -- The part of a player's ban that holds for new guests of a network.
    CREATE TABLE address_bans (
      player BLOB PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
      network BLOB NOT NULL CHECK (length(network) = 32),
      -- None for the whole server. No key of rooms, which may be gone.
      room BLOB CHECK (length(room) = 16),
      since BIGINT NOT NULL,
      until BIGINT NOT NULL CHECK (until > since)
    ) WITHOUT ROWID;
    -- Links by which players set a new password, as operators have offered them.
    CREATE TABLE password_resets (
      player BLOB PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
      -- Of the link's secret.
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      expires_at BIGINT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX address_bans_network ON address_bans (network);

    -- Operators find players by the beginning of a nickname.
    CREATE INDEX players_nickname ON players (nickname, id);
    """
}
