// The tables of profiles, and of what players have earned.
//
// A player's experience lies apart from their words, because each like writes it. Rows of `media_uses` have kind 3 and
// the player's identifier for a profile's picture. The collectibles of players from before are filled in by
// `ProgressReckoning`.
// Decisions: 120 (docs/decisions).
enum ProfileSchema {
  static let profiles = """
    CREATE TABLE profiles (
      player BLOB PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
      introduction TEXT NOT NULL,
      picture BLOB CHECK (length(picture) = 16),
      CHECK (length(introduction) > 0 OR picture IS NOT NULL)
    ) WITHOUT ROWID;

    CREATE TABLE progress (
      player BLOB PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
      experience BIGINT NOT NULL CHECK (experience >= 0),
      -- The capsules of others that the player has opened, each once; deleted ones still count.
      openings_count BIGINT NOT NULL CHECK (openings_count >= 0)
    ) WITHOUT ROWID;

    CREATE TABLE collectibles (
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      kind SMALLINT NOT NULL CHECK (kind BETWEEN 1 AND 12),
      awarded_at BIGINT NOT NULL,
      PRIMARY KEY (player, kind)
    ) WITHOUT ROWID;

    CREATE INDEX posts_hidden ON posts (author) WHERE is_hidden = 1;

    INSERT INTO progress (player, experience, openings_count)
      SELECT id,
        5 * (SELECT COUNT(*) FROM posts WHERE author = players.id)
          + (SELECT COUNT(*) FROM post_likes WHERE player = players.id),
        (SELECT COUNT(*) FROM capsule_openings WHERE player = players.id)
      FROM players
      WHERE EXISTS (SELECT 1 FROM posts WHERE author = players.id)
        OR EXISTS (SELECT 1 FROM post_likes WHERE player = players.id)
        OR EXISTS (SELECT 1 FROM capsule_openings WHERE player = players.id);
    """
}
