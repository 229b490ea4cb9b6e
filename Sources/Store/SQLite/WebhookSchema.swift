// The tables of webhooks: their targets, and an outbox for each.
//
// An event lies in the outbox of each target that has asked for it, so that what is delivered, dropped or removed is a
// range of one target's rows. Totals lie in the target's row, because the bound is looked at with each event.
extension Schema {
  static let webhooks = """
    CREATE TABLE webhook_targets (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      name TEXT NOT NULL,
      url TEXT NOT NULL CHECK (length(url) > 0),
      -- The key by which requests to it are signed.
      secret TEXT NOT NULL CHECK (length(secret) > 0),
      -- The types of events that it has asked for, a bit each.
      types BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      pending_count BIGINT NOT NULL DEFAULT 0 CHECK (pending_count >= 0),
      pending_bytes BIGINT NOT NULL DEFAULT 0 CHECK (pending_bytes >= 0),
      delivered_count BIGINT NOT NULL DEFAULT 0,
      dropped_count BIGINT NOT NULL DEFAULT 0,
      -- The first failure since the last success.
      failing_since BIGINT,
      -- The newest failure.
      failed_at BIGINT,
      failure TEXT,
      -- Since when nothing is sent to it, and why.
      switched_off_at BIGINT,
      switched_off_for TEXT,
      CHECK ((failed_at IS NULL) = (failure IS NULL)),
      CHECK ((switched_off_at IS NULL) = (switched_off_for IS NULL))
    ) WITHOUT ROWID;

    -- Pending events. There may be many of one target, so those of a removed one are deleted piece by piece.
    CREATE TABLE webhook_events (
      target BLOB NOT NULL CHECK (length(target) = 16),
      number BIGINT NOT NULL CHECK (number > 0),
      at BIGINT NOT NULL,
      bytes BLOB NOT NULL CHECK (length(bytes) > 0),
      PRIMARY KEY (target, number)
    );
    CREATE TABLE removed_webhook_targets (id BLOB PRIMARY KEY CHECK (length(id) = 16)) WITHOUT ROWID;

    -- The players whom pending events name.
    CREATE TABLE webhook_names (
      target BLOB NOT NULL,
      number BIGINT NOT NULL,
      player BLOB NOT NULL CHECK (length(player) = 16),
      PRIMARY KEY (target, number, player),
      FOREIGN KEY (target, number) REFERENCES webhook_events (target, number) ON DELETE CASCADE
    ) WITHOUT ROWID;
    CREATE INDEX webhook_names_player ON webhook_names (player);

    -- One row: the number of the newest event that there ever was.
    CREATE TABLE webhook_numbers (
      number SMALLINT PRIMARY KEY CHECK (number = 0),
      newest BIGINT NOT NULL CHECK (newest >= 0)
    );
    INSERT INTO webhook_numbers (number, newest) VALUES (0, 0);
    """

  /// An event that names several players loses one without the others: a name has the bytes of the event that an
  /// erasure overwrites, and none where the whole event goes.
  static let webhookParts = """
    ALTER TABLE webhook_names ADD COLUMN first_byte BIGINT CHECK (first_byte >= 0);
    ALTER TABLE webhook_names ADD COLUMN byte_count BIGINT CHECK (byte_count > 0);
    """
}
