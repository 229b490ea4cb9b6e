// The table of proposals of lands.
extension Schema {
  static let proposals = """
    CREATE TABLE land_proposals (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      -- The game, which may be forgotten before the proposal.
      room BLOB NOT NULL CHECK (length(room) = 16),
      number BIGINT NOT NULL CHECK (number > 0),
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- The corners, as the vertices of lands.
      ring BLOB NOT NULL CHECK (length(ring) >= 32 AND length(ring) % 8 = 0),
      length_mm BIGINT NOT NULL CHECK (length_mm > 0),
      proposed_at BIGINT NOT NULL,
      decided_at BIGINT,
      -- The land that it became; absent while it waits and when it was declined.
      land BLOB CHECK (length(land) = 16),
      -- The reason for which it was declined.
      reason TEXT,
      CHECK ((decided_at IS NULL) = (land IS NULL AND reason IS NULL)),
      CHECK (land IS NULL OR reason IS NULL)
    ) WITHOUT ROWID;
    CREATE INDEX land_proposals_player ON land_proposals (player, proposed_at, id);
    CREATE INDEX land_proposals_waiting ON land_proposals (proposed_at, id) WHERE decided_at IS NULL;
    CREATE INDEX land_proposals_decided ON land_proposals (decided_at) WHERE decided_at IS NOT NULL;
    """
}
