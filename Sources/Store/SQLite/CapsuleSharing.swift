// The players to whom an owner shows a capsule. Part of `CapsuleWriting`.
import GRDB
import Game

extension CapsuleWriting {
  func share(_ id: CapsuleID, of owner: PlayerID, everyone: Bool?, with: [PlayerID], without: [PlayerID]) throws
    -> CapsuleOutcome
  {
    guard var capsule = try capsule(id, of: owner) else { return .notFound }
    let before = Set(try db.playersNamed(by: id))
    let after = before.subtracting(without).union(with).subtracting([owner])
    // Unknown players count here too, so the outcome does not tell who is known.
    guard after.count <= Capsule.namedMax || after.isSubset(of: before) else { return .tooMany }
    for player in before.subtracting(after) {
      try db.run("DELETE FROM capsule_shares WHERE player = ? AND capsule = ?", player, id)
    }
    try name(Array(after.subtracting(before)), for: id, of: owner)
    if let everyone, everyone != capsule.isForEveryone {
      capsule.isForEveryone = everyone
      try db.run("UPDATE capsules SET is_for_everyone = ? WHERE id = ?", everyone ? 1 : 0, id)
      let cells = CapsuleCells(db: db)
      let code = PlaceCode(capsule.place)
      if everyone { try cells.add(code) } else { try cells.remove(code) }
    }
    return .shared(capsule.summary(hasOpened: false))
  }

  /// Names those of some players who are known, have space for it, and have not blocked the owner.
  func name(_ players: [PlayerID], for capsule: CapsuleID, of owner: PlayerID) throws {
    for player in Set(players).sorted() where player != owner {
      guard try db.knows(player),
        try !db.finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", player, owner)
      else { continue }
      let count: Int = try db.rows("SELECT COUNT(*) FROM capsule_shares WHERE player = ?", player)[0].value(0)
      let own: Int = try db.rows(
        "SELECT COUNT(*) FROM capsule_shares WHERE player = ? AND owner = ?",
        player,
        owner
      )[0].value(0)
      guard count < Capsule.sharedMax, own < Capsule.sharedByOneMax else { continue }
      try db.run(
        """
        INSERT INTO capsule_shares (capsule, player, owner) VALUES (?, ?, ?) ON CONFLICT (player, capsule) DO NOTHING
        """,
        capsule,
        player,
        owner
      )
    }
  }
}

extension Database {
  /// The players whom the owner has named, in order.
  func playersNamed(by capsule: CapsuleID) throws -> [PlayerID] {
    try rows("SELECT player FROM capsule_shares WHERE capsule = ? ORDER BY player", capsule).map { try $0.value(0) }
  }
}
