// The tables of capsules and of operators' fences.
//
// A capsule's row is short, because lists read many; its words lie in a table of their own. Its place is one number,
// `PlaceCode`, of which the places of any cell are a range. Rows lie in the order of their places, apart for those that
// are for everyone, so that what is near lies on few pages, whatever else is there. `capsule_cells` is a tree over the
// capsules for everyone: each cell of level 0, 2, 4 and so on, down to a cell with few capsules, with their count.
extension Schema {
  static let places = """
    CREATE TABLE capsules (
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      owner BLOB NOT NULL REFERENCES players (id),
      title TEXT NOT NULL CHECK (length(title) > 0),
      -- Days since 1970-01-01.
      memory_day BIGINT NOT NULL,
      -- The number of the place.
      code BIGINT NOT NULL CHECK (code >= 0),
      buried_at BIGINT NOT NULL,
      edited_at BIGINT,
      is_for_everyone SMALLINT NOT NULL CHECK (is_for_everyone IN (0, 1)),
      open_count BIGINT NOT NULL CHECK (open_count >= 0),
      PRIMARY KEY (is_for_everyone, code, id)
    ) WITHOUT ROWID;
    -- It has all that lists of a player's own need, so that they read no row.
    CREATE INDEX capsules_owner ON capsules (owner, code, memory_day, id);
    CREATE INDEX capsules_memory ON capsules (is_for_everyone, memory_day, id);
    CREATE INDEX capsules_buried ON capsules (is_for_everyone, buried_at, id);
    CREATE INDEX capsules_opened ON capsules (is_for_everyone, open_count, id);

    CREATE TABLE capsule_texts (
      capsule BLOB PRIMARY KEY REFERENCES capsules (id) ON DELETE CASCADE,
      text TEXT NOT NULL CHECK (length(text) > 0),
      -- The identifiers, one behind the other.
      pictures BLOB NOT NULL CHECK (length(pictures) <= 160 AND length(pictures) % 16 = 0)
    );

    -- The players whom an owner has named.
    CREATE TABLE capsule_shares (
      capsule BLOB NOT NULL REFERENCES capsules (id) ON DELETE CASCADE,
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      PRIMARY KEY (player, capsule)
    ) WITHOUT ROWID;
    CREATE INDEX capsule_shares_capsule ON capsule_shares (capsule);

    -- The openings, one for each player and capsule. There may be many of one capsule, so those of a deleted one are deleted piece by piece.
    CREATE TABLE capsule_openings (
      capsule BLOB NOT NULL CHECK (length(capsule) = 16),
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      opened_at BIGINT NOT NULL,
      PRIMARY KEY (player, capsule)
    ) WITHOUT ROWID;
    CREATE INDEX capsule_openings_capsule ON capsule_openings (capsule);
    CREATE TABLE deleted_capsules (id BLOB PRIMARY KEY CHECK (length(id) = 16)) WITHOUT ROWID;

    CREATE TABLE capsule_cells (
      level SMALLINT NOT NULL CHECK (level BETWEEN 0 AND 32),
      -- The lowest number of its places.
      first BIGINT NOT NULL,
      -- Whether its capsules are counted in cells two levels below.
      is_split SMALLINT NOT NULL CHECK (is_split IN (0, 1)),
      capsules_count BIGINT NOT NULL CHECK (capsules_count > 0),
      -- The sums of the places' offsets from the map's south-west corner.
      x_sum BIGINT NOT NULL,
      y_sum BIGINT NOT NULL,
      PRIMARY KEY (level, first)
    ) WITHOUT ROWID;

    -- One row: the totals of all capsules.
    CREATE TABLE capsule_totals (
      number SMALLINT PRIMARY KEY CHECK (number = 0),
      capsules_count BIGINT NOT NULL CHECK (capsules_count >= 0),
      open_count BIGINT NOT NULL CHECK (open_count >= 0),
      byte_count BIGINT NOT NULL CHECK (byte_count >= 0)
    );
    INSERT INTO capsule_totals (number, capsules_count, open_count, byte_count) VALUES (0, 0, 0, 0);

    CREATE TABLE fences (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 65536),
      imported_at BIGINT NOT NULL
    );
    """

  /// A share has its capsule's owner, so that those of one player to another are counted by an index.
  static let shares = """
    ALTER TABLE capsule_shares ADD COLUMN owner BLOB CHECK (length(owner) = 16);
    UPDATE capsule_shares SET owner = (SELECT owner FROM capsules WHERE id = capsule);
    CREATE INDEX capsule_shares_owner ON capsule_shares (player, owner);
    """
}
