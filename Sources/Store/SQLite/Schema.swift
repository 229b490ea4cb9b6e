// The tables, and the upgrade of older schemas, used while a store is opened. A plain table holds the version, so that
// a newer program's version can be compared, and any back end can keep it. The statements on the tables are valid
// PostgreSQL too. So are these definitions except for four words, which scripts/postgres-sql-test translates.
// Decisions: 052, 053 (docs/decisions).
import GRDB

enum Schema {
  /// The upgrade steps from nothing; a released step never changes.
  private static let steps = [
    first, taps, operators, erasures, deletions, lateness, rankings, proposals, places, webhooks, webhookParts, shares,
    stories, media, PlanSchema.plans, ProfileSchema.profiles, ReportSchema.moderation,
    auditNames, BanSchema.bans, tracks, HistorySchema.minutes,
  ]
  static let known = steps.count

  /// Upgrades the file in one transaction.
  static func migrate(_ db: Database) throws {
    try db.transaction {
      let found = try refuseStranger(db)
      guard found < known else { return }
      for step in steps[found...] {
        try db.execute(sql: step)
        // The continents of countries are in no table.
        if step == ProfileSchema.profiles { try ProgressReckoning(db: db).run() }
      }
      try db.execute(sql: "DELETE FROM schema")
      try db.run("INSERT INTO schema (version) VALUES (?)", known)
    }
  }

  /// Requires the current version, for readers, who change nothing.
  static func require(_ db: Database) throws {
    let found = try refuseStranger(db)
    guard found > 0 else { throw StoreFailure.other("the database is empty: no server has written it") }
    guard found == known else {
      throw StoreFailure.other("the store is of an older version (schema \(found) of \(known)); the server updates it")
    }
  }

  /// The file's version, 0 for an empty one; refuses a newer program's file and another program's untouched.
  @discardableResult
  static func refuseStranger(_ db: Database) throws -> Int {
    guard try db.tableExists("schema") else {
      guard try StrangerFile.hasTables(db) else { return 0 }
      throw StoreFailure.other("the database is another program's, with no table of Madang's")
    }
    let found: Int = try db.row("SELECT version FROM schema")?.value(0) ?? 0
    guard found <= known else { throw StoreFailure.newerSchema(found: found, known: known) }
    return found
  }

  private static let lateness = """
    ALTER TABLE results ADD COLUMN late_percent SMALLINT NOT NULL DEFAULT 0 CHECK (late_percent BETWEEN 0 AND 100);
    ALTER TABLE results ADD COLUMN withheld_percent SMALLINT NOT NULL DEFAULT 0
      CHECK (withheld_percent BETWEEN 0 AND 100);
    """

  private static let first = """
    CREATE TABLE schema (version BIGINT NOT NULL);

    -- What was committed and not folded yet; the newest row stays, for its time and its number.
    CREATE TABLE segments (
      number INTEGER PRIMARY KEY,
      at BIGINT NOT NULL,
      bytes BLOB NOT NULL
    );

    -- Segments that could not be read, as they were found.
    CREATE TABLE damaged_segments (
      number BIGINT PRIMARY KEY,
      written_at BIGINT NOT NULL,
      found_at BIGINT NOT NULL,
      bytes BLOB NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE rooms (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      code BIGINT NOT NULL,
      opened_at BIGINT NOT NULL,
      closed_at BIGINT,
      -- Recovery begins there.
      snapshot_segment BIGINT NOT NULL,
      -- Once the segments up to there are folded, something of the journal may be forgotten.
      trim_segment BIGINT
    ) WITHOUT ROWID;
    CREATE INDEX rooms_open ON rooms (id) WHERE closed_at IS NULL;
    CREATE INDEX rooms_trim ON rooms (trim_segment) WHERE trim_segment IS NOT NULL;

    -- Rows lie in the order of folding; one room's are found by its key.
    CREATE TABLE journals (
      room BLOB NOT NULL REFERENCES rooms (id),
      first_segment BIGINT NOT NULL,
      last_segment BIGINT NOT NULL CHECK (last_segment >= first_segment),
      bytes BLOB NOT NULL CHECK (length(bytes) > 0),
      PRIMARY KEY (room, first_segment)
    );

    -- A row begins with its game and is filled in at the game's end.
    CREATE TABLE games (
      room BLOB NOT NULL REFERENCES rooms (id),
      number BIGINT NOT NULL CHECK (number > 0),
      mode SMALLINT,
      started_at BIGINT,
      ended_at BIGINT,
      rules_version BIGINT,
      players_count BIGINT CHECK (players_count >= 0),
      -- 64 bits, with the highest for a sign.
      fingerprint BIGINT,
      -- The land that it was about, where it was about one.
      land BLOB CHECK (length(land) = 16),
      -- Where its journal lies; none when it is no longer kept.
      first_segment BIGINT,
      last_segment BIGINT,
      PRIMARY KEY (room, number),
      CHECK ((ended_at IS NULL) = (mode IS NULL)),
      CHECK ((ended_at IS NULL) = (started_at IS NULL)),
      CHECK ((ended_at IS NULL) = (rules_version IS NULL)),
      CHECK ((ended_at IS NULL) = (players_count IS NULL)),
      CHECK ((ended_at IS NULL) = (fingerprint IS NULL)),
      CHECK ((ended_at IS NULL) = (last_segment IS NULL)),
      CHECK (last_segment >= first_segment)
    ) WITHOUT ROWID;
    CREATE INDEX games_ended ON games (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX games_kept ON games (ended_at) WHERE first_segment IS NOT NULL;
    CREATE INDEX games_first ON games (first_segment) WHERE first_segment IS NOT NULL;
    CREATE INDEX games_last ON games (last_segment) WHERE first_segment IS NOT NULL;

    -- An account has an e-mail and a password, a guest has neither.
    CREATE TABLE players (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      nickname TEXT NOT NULL CHECK (length(nickname) > 0),
      device BLOB UNIQUE CHECK (length(device) = 32),
      email TEXT UNIQUE,
      password_hash TEXT,
      CHECK ((email IS NULL) = (password_hash IS NULL))
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX players_account_nickname ON players (nickname) WHERE email IS NOT NULL;

    CREATE TABLE sessions (
      digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      -- The number of the connection that began or resumed it last.
      connection BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      ended_at BIGINT,
      end_reason TEXT CHECK (end_reason IN ('replaced', 'loggedOut')),
      CHECK ((ended_at IS NULL) = (end_reason IS NULL))
    ) WITHOUT ROWID;
    CREATE INDEX sessions_player ON sessions (player);
    CREATE UNIQUE INDEX sessions_live ON sessions (player) WHERE ended_at IS NULL;
    CREATE INDEX sessions_expiry ON sessions (expires_at);
    CREATE INDEX sessions_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;

    CREATE TABLE blocks (
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      blocked BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      PRIMARY KEY (player, blocked)
    ) WITHOUT ROWID;
    CREATE INDEX blocks_blocked ON blocks (blocked);

    CREATE TABLE results (
      room BLOB NOT NULL,
      number BIGINT NOT NULL,
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      mode SMALLINT NOT NULL,
      land BLOB CHECK (length(land) = 16),
      seat SMALLINT NOT NULL CHECK (seat >= 0),
      ended_at BIGINT NOT NULL,
      points BIGINT NOT NULL CHECK (points >= 0),
      distance_mm BIGINT NOT NULL CHECK (distance_mm >= 0),
      time_ms BIGINT NOT NULL CHECK (time_ms >= 0),
      rank BIGINT NOT NULL CHECK (rank > 0),
      won SMALLINT NOT NULL CHECK (won IN (0, 1)),
      completed SMALLINT NOT NULL CHECK (completed IN (0, 1)),
      counts SMALLINT NOT NULL CHECK (counts IN (0, 1)),
      calories BIGINT NOT NULL CHECK (calories >= 0),
      nickname TEXT NOT NULL,
      PRIMARY KEY (room, number, player),
      FOREIGN KEY (room, number) REFERENCES games (room, number)
    ) WITHOUT ROWID;
    CREATE INDEX results_player ON results (player, ended_at, room, number);

    CREATE TABLE badges (
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      badge SMALLINT NOT NULL CHECK (badge >= 0),
      awarded_at BIGINT NOT NULL,
      PRIMARY KEY (player, badge)
    ) WITHOUT ROWID;

    CREATE TABLE lands (
      number INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- Latitude and longitude of each, 1e-7 degree, as big-endian 32-bit numbers.
      vertices BLOB NOT NULL CHECK (length(vertices) >= 24 AND length(vertices) % 8 = 0),
      length_mm BIGINT NOT NULL CHECK (length_mm > 0)
    );
    -- The boxes around lands, 1e-7 degree: number is twice the land's, one more for a part beyond the 180th meridian.
    CREATE VIRTUAL TABLE land_boxes USING rtree_i32 (number, low_lat, high_lat, low_lng, high_lng);

    -- Solo runs that captured their land.
    CREATE TABLE land_runs (
      land BLOB NOT NULL REFERENCES lands (id) ON DELETE CASCADE,
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      captured_at BIGINT NOT NULL,
      time_ms BIGINT NOT NULL CHECK (time_ms > 0),
      PRIMARY KEY (land, player, captured_at)
    ) WITHOUT ROWID;
    CREATE INDEX land_runs_player ON land_runs (player);
    -- Of each player's the shortest, of several the first: the ranking, kept in order.
    CREATE TABLE land_bests (
      land BLOB NOT NULL REFERENCES lands (id) ON DELETE CASCADE,
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      time_ms BIGINT NOT NULL CHECK (time_ms > 0),
      captured_at BIGINT NOT NULL,
      PRIMARY KEY (land, player)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX land_bests_rank ON land_bests (land, time_ms, captured_at, player);
    CREATE INDEX land_bests_player ON land_bests (player, captured_at, land);

    -- The list of schools, as the newest edition that has each describes it.
    CREATE TABLE schools (
      id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 16),
      name TEXT NOT NULL CHECK (length(name) > 0),
      level SMALLINT NOT NULL CHECK (level BETWEEN 0 AND 4),
      region TEXT NOT NULL,
      address TEXT NOT NULL,
      -- Since when nobody finds it any more.
      closed_at BIGINT
    ) WITHOUT ROWID;

    -- Who has been where, for as long as the room's journal may have their texts.
    CREATE TABLE presences (
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      room BLOB NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
      PRIMARY KEY (player, room)
    ) WITHOUT ROWID;
    CREATE INDEX presences_room ON presences (room);
    """
}
