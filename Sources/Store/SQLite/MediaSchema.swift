// The tables of media.
//
// A medium's bytes are no rows: they are files beside the database, by the digest in the row (BlobFolder.swift).
extension Schema {
  static let media = """
    CREATE TABLE media (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      owner BLOB NOT NULL REFERENCES players (id),
      -- Of the original's bytes. Media of several players may have the same.
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      type SMALLINT NOT NULL CHECK (type BETWEEN 1 AND 3),
      width BIGINT NOT NULL CHECK (width > 0),
      height BIGINT NOT NULL CHECK (height > 0),
      size_bytes BIGINT NOT NULL CHECK (size_bytes > 0),
      uploaded_at BIGINT NOT NULL,
      -- Since when nothing refers to it.
      unused_since BIGINT
    ) WITHOUT ROWID;
    CREATE INDEX media_owner ON media (owner);
    CREATE INDEX media_digest ON media (digest);
    CREATE INDEX media_unused ON media (unused_since) WHERE unused_since IS NOT NULL;

    -- The references to media: of capsules, kind 1, of posts, 2, and of profiles, 3, whose subject is the player.
    CREATE TABLE media_uses (
      kind SMALLINT NOT NULL CHECK (kind > 0),
      subject BLOB NOT NULL CHECK (length(subject) = 16),
      media BLOB NOT NULL REFERENCES media (id),
      PRIMARY KEY (kind, subject, media)
    ) WITHOUT ROWID;
    CREATE INDEX media_uses_media ON media_uses (media);

    -- Digests that a deleted row named; their files are deleted unless another row names them.
    CREATE TABLE dropped_blobs (digest BLOB PRIMARY KEY CHECK (length(digest) = 32)) WITHOUT ROWID;

    -- At most one row: the key that addresses of media are signed with.
    CREATE TABLE media_keys (
      number SMALLINT PRIMARY KEY CHECK (number = 0),
      secret BLOB NOT NULL CHECK (length(secret) = 32)
    );
    """
}
