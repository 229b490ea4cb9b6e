// The removal of capsules, by their owners and with them. Inside a commit, or inside a piece of maintenance. Openings
// of a removed capsule are deleted by maintenance, because there may be any number of them.
import GRDB
import Game

struct CapsuleRemoval {
  private static let capsulesAtOnce = 25

  let db: Database

  func remove(_ capsule: Capsule, at moment: Instant) throws {
    if capsule.isListed { try CapsuleCells(db: db).remove(PlaceCode(capsule.place)) }
    try ReportRemoval(db: db).remove(.capsule(capsule.id))
    if try db.finds("SELECT 1 FROM capsule_openings WHERE capsule = ? LIMIT 1", capsule.id) {
      try db.run("INSERT INTO deleted_capsules (id) VALUES (?)", capsule.id)
    }
    try MediaUses(db: db).removeAll(of: .capsule, capsule.id.value, at: moment)
    try db.run("DELETE FROM capsules WHERE id = ?", capsule.id)
    try db.addCapsuleTotals(capsules: -1, openings: -capsule.openCount, bytes: -capsule.byteCount)
    // The capsule may have been all that kept the guest.
    try db.run("UPDATE players SET look_at = 0 WHERE id = ? AND email IS NULL AND look_at IS NULL", capsule.owner)
  }

  /// Removes capsules of a player who is erased; returns their number, at most one piece. Their pictures go next.
  func removeCapsules(of player: PlayerID) throws -> Int {
    let capsules = try db.rows("\(Capsule.query) WHERE owner = ? LIMIT ?", player, Self.capsulesAtOnce)
    for row in capsules { try remove(Capsule(row: row), at: Instant(milliseconds: 0)) }
    return capsules.count
  }

  /// Deletes rows that name a player with capsules of others; returns their number, at most one piece.
  func forgetVisits(of player: PlayerID, rowsAtOnce: Int) throws -> Int {
    let shares = try db.run(
      """
      DELETE FROM capsule_shares WHERE player = ?
        AND capsule IN (SELECT capsule FROM capsule_shares WHERE player = ? LIMIT ?)
      """,
      player,
      player,
      rowsAtOnce
    )
    let openings = try db.run(
      """
      DELETE FROM capsule_openings WHERE player = ?
        AND capsule IN (SELECT capsule FROM capsule_openings WHERE player = ? LIMIT ?)
      """,
      player,
      player,
      rowsAtOnce
    )
    return shares + openings
  }
}

extension Forgetting {
  /// Deletes openings of deleted capsules; returns the number of rows, at most one piece.
  func dropOpenings() throws -> Int {
    guard let id: CapsuleID = try db.row("SELECT id FROM deleted_capsules LIMIT 1")?.value(0) else { return 0 }
    let openings = try db.run(
      """
      DELETE FROM capsule_openings WHERE capsule = ?
        AND player IN (SELECT player FROM capsule_openings WHERE capsule = ? LIMIT ?)
      """,
      id,
      id,
      Self.rowsAtOnce
    )
    if openings < Self.rowsAtOnce { try db.run("DELETE FROM deleted_capsules WHERE id = ?", id) }
    return openings + 1
  }
}
