// The tables of operators' decisions and actions.
// Decisions: 075 (docs/decisions).
extension Schema {
  static let operators = """
    CREATE TABLE sanctions (
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('ban', 'mute')),
      since BIGINT NOT NULL,
      -- Not in force from then on; none until it is lifted.
      until BIGINT,
      reason TEXT NOT NULL,
      PRIMARY KEY (player, kind)
    ) WITHOUT ROWID;
    CREATE INDEX sanctions_until ON sanctions (until) WHERE until IS NOT NULL;

    -- What operators have done. Nothing of it is ever changed or forgotten; it has nobody's nickname.
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY CHECK (number > 0),
      at BIGINT NOT NULL,
      address TEXT NOT NULL,
      action TEXT NOT NULL CHECK (length(action) > 0),
      -- No key of players or rooms, who may be gone.
      player BLOB CHECK (length(player) = 16),
      room BLOB CHECK (length(room) = 16),
      detail TEXT NOT NULL
    );
    """

  /// Who acted, why, and the room's code; older rows have none of them.
  static let auditNames = """
    ALTER TABLE audit ADD COLUMN operator TEXT NOT NULL DEFAULT '';
    ALTER TABLE audit ADD COLUMN reason TEXT NOT NULL DEFAULT '';
    ALTER TABLE audit ADD COLUMN code TEXT;
    """
}
