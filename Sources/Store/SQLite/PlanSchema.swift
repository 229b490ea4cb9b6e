// The tables of travel plans.
//
// A plan's number orders an author's plans, and refers to the plan where there are many rows. The order of stops is
// kept within each day, so that a move writes no more than the stops of one day or two. What refers to a deleted plan
// is deleted piece by piece, since there may be any number of rows; until then its number is given to no other plan.
// Decisions: 119 (docs/decisions).
enum PlanSchema {
  static let plans = """
    CREATE TABLE plans (
      number INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      author BLOB NOT NULL REFERENCES players (id),
      title TEXT NOT NULL CHECK (length(title) > 0),
      -- Counted from 1 January 1970.
      first_day BIGINT NOT NULL,
      last_day BIGINT NOT NULL CHECK (last_day >= first_day),
      version BIGINT NOT NULL CHECK (version > 0),
      written_at BIGINT NOT NULL,
      edited_at BIGINT,
      is_hidden SMALLINT NOT NULL CHECK (is_hidden IN (0, 1)),
      stops_count SMALLINT NOT NULL CHECK (stops_count >= 0),
      -- The players who have taken it over.
      takers_count BIGINT NOT NULL CHECK (takers_count >= 0),
      -- The original of a copy, which may be gone, and its author.
      origin BLOB CHECK (length(origin) = 16),
      origin_author BLOB REFERENCES players (id),
      CHECK ((origin IS NULL) = (origin_author IS NULL))
    );
    CREATE INDEX plans_author ON plans (author, number);
    CREATE INDEX plans_origin_author ON plans (origin_author) WHERE origin_author IS NOT NULL;

    CREATE TABLE plan_stops (
      plan BIGINT NOT NULL REFERENCES plans (number) ON DELETE CASCADE,
      id BLOB NOT NULL CHECK (length(id) = 16),
      day BIGINT NOT NULL,
      -- Its place among the stops of its day, from 0.
      day_index SMALLINT NOT NULL CHECK (day_index >= 0),
      title TEXT NOT NULL CHECK (length(title) > 0),
      text TEXT NOT NULL,
      lat_e7 INTEGER,
      lng_e7 INTEGER,
      PRIMARY KEY (plan, id),
      CHECK ((lat_e7 IS NULL) = (lng_e7 IS NULL))
    ) WITHOUT ROWID;

    CREATE TABLE plan_takers (
      plan BIGINT NOT NULL,
      player BLOB NOT NULL REFERENCES players (id),
      taken_over_at BIGINT NOT NULL,
      PRIMARY KEY (plan, player)
    ) WITHOUT ROWID;
    CREATE INDEX plan_takers_player ON plan_takers (player);

    -- The plan that a post has.
    CREATE TABLE post_plans (
      post INTEGER PRIMARY KEY REFERENCES posts (number) ON DELETE CASCADE,
      plan BIGINT NOT NULL
    );
    CREATE INDEX post_plans_plan ON post_plans (plan, post);

    CREATE TABLE deleted_plans (number BIGINT PRIMARY KEY) WITHOUT ROWID;
    """
}
