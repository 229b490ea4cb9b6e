// The tables of reports, of what they hide, and of warnings.
//
// A reported thing has one row, whatever it is, with what became of it. Posts, comments, plans and capsules say beside
// their own rows whether they are hidden, so that their reads ask nothing here. The reports of a deleted thing are
// deleted piece by piece, since there may be any number of them.
enum ReportSchema {
  static let moderation = """
    ALTER TABLE players ADD COLUMN
      -- Since when the player has an account. Of older accounts: since the last commit before the upgrade.
      registered_at BIGINT;
    UPDATE players SET registered_at = (SELECT COALESCE(MAX(at), 0) FROM segments) WHERE email IS NOT NULL;

    -- 1 for a hidden capsule; 2 for one that its owner has for everyone, whose is_for_everyone is 0 meanwhile.
    ALTER TABLE capsules ADD COLUMN hidden SMALLINT NOT NULL DEFAULT 0
      CHECK (hidden BETWEEN 0 AND 2 AND (hidden = 0 OR is_for_everyone = 0));

    -- Kinds of subjects: 1 a post, 2 a comment, 3 a plan, 4 a capsule, 5 a player's profile.
    CREATE TABLE reports (
      reporter BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      kind SMALLINT NOT NULL CHECK (kind BETWEEN 1 AND 5),
      subject BLOB NOT NULL CHECK (length(subject) = 16),
      -- A bit for each.
      reasons SMALLINT NOT NULL CHECK (reasons BETWEEN 1 AND 511),
      text TEXT NOT NULL,
      reported_at BIGINT NOT NULL,
      -- The keyed digest of the reporter's network, for as long as the report may hide the subject.
      network BLOB CHECK (length(network) = 32),
      PRIMARY KEY (reporter, kind, subject)
    ) WITHOUT ROWID;
    CREATE INDEX reports_subject ON reports (kind, subject, reported_at);
    CREATE INDEX reports_network ON reports (kind, subject, network) WHERE network IS NOT NULL;

    -- What was reported or decided on.
    CREATE TABLE moderated (
      kind SMALLINT NOT NULL CHECK (kind BETWEEN 1 AND 5),
      subject BLOB NOT NULL CHECK (length(subject) = 16),
      author BLOB NOT NULL CHECK (length(author) = 16),
      -- 0 shown, 1 hidden by reports, 2 hidden by an operator, 3 restored by an operator.
      state SMALLINT NOT NULL CHECK (state BETWEEN 0 AND 3),
      -- There are reports that no operator has decided on.
      is_waiting SMALLINT NOT NULL CHECK (is_waiting IN (0, 1)),
      -- All that there have been, also those of deleted players.
      reports_count BIGINT NOT NULL CHECK (reports_count >= is_waiting),
      -- The newest report, or a decision without one.
      reported_at BIGINT NOT NULL,
      PRIMARY KEY (kind, subject)
    ) WITHOUT ROWID;
    CREATE INDEX moderated_waiting ON moderated (reported_at, kind, subject) WHERE is_waiting = 1;
    CREATE INDEX moderated_state ON moderated (state, reported_at, kind, subject);

    -- Subjects that are gone, whose reports are still to be deleted.
    CREATE TABLE deleted_subjects (
      kind SMALLINT NOT NULL,
      subject BLOB NOT NULL CHECK (length(subject) = 16),
      PRIMARY KEY (kind, subject)
    ) WITHOUT ROWID;

    -- Operators' warnings that their players have not seen yet.
    CREATE TABLE warnings (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      -- The subject, which may be gone; none for a warning without one.
      kind SMALLINT CHECK (kind BETWEEN 1 AND 5),
      subject BLOB CHECK (length(subject) = 16),
      text TEXT NOT NULL CHECK (length(text) > 0),
      warned_at BIGINT NOT NULL,
      CHECK ((kind IS NULL) = (subject IS NULL))
    ) WITHOUT ROWID;
    CREATE INDEX warnings_player ON warnings (player, warned_at, id);
    """
}
