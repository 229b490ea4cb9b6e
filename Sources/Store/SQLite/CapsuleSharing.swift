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
    let new = try nameable(Array(after.subtracting(before)), of: owner)
    guard new.full.isEmpty else { return .full(new.full) }
    for player in before.subtracting(after) {
      try db.run("DELETE FROM capsule_shares WHERE player = ? AND capsule = ?", player, id)
    }
    try name(new.players, for: id, of: owner)
    if let everyone, everyone != capsule.isForEveryone {
      let wasListed = capsule.isListed
      capsule.isForEveryone = everyone
      try list(capsule, wasListed: wasListed)
    }
    return .shared(capsule.summary(hasOpened: false))
  }

  /// Hides a capsule from everybody but its owner, or shows it again.
  func hide(_ id: CapsuleID, isHidden: Bool) throws {
    guard var capsule = try db.row("\(Capsule.query) WHERE id = ?", id).map(Capsule.init(row:)),
      capsule.isHidden != isHidden
    else { return }
    let wasListed = capsule.isListed
    capsule.isHidden = isHidden
    try list(capsule, wasListed: wasListed)
  }

  /// Has a capsule lie among those for everyone, or not.
  private func list(_ capsule: Capsule, wasListed: Bool) throws {
    let hidden = capsule.isHidden ? capsule.isForEveryone ? 2 : 1 : 0
    try db.run(
      "UPDATE capsules SET is_for_everyone = ?, hidden = ? WHERE id = ?",
      capsule.isListed ? 1 : 0,
      hidden,
      capsule.id
    )
    guard capsule.isListed != wasListed else { return }
    let (cells, code) = (CapsuleCells(db: db), PlaceCode(capsule.place))
    if capsule.isListed { try cells.add(code) } else { try cells.remove(code) }
  }

  /// Those of some players to whom an owner may show a capsule: they are known, have not blocked the owner and are not
  /// blocked by them. Of these, those whose lists are full.
  func nameable(_ players: [PlayerID], of owner: PlayerID) throws -> (players: [PlayerID], full: [PlayerID]) {
    let known = try Set(players).sorted().filter { player in
      try player != owner && db.knows(player)
        && !db.finds(
          "SELECT 1 FROM blocks WHERE (player = ? AND blocked = ?) OR (player = ? AND blocked = ?)",
          player,
          owner,
          owner,
          player
        )
    }
    return (known, try known.filter { try isFull($0, for: owner) })
  }

  /// Whether no more capsules of an owner can be shared with a player.
  private func isFull(_ player: PlayerID, for owner: PlayerID) throws -> Bool {
    let count: Int = try db.rows("SELECT COUNT(*) FROM capsule_shares WHERE player = ?", player)[0].value(0)
    guard count < Capsule.sharedMax else { return true }
    let own: Int = try db.rows(
      "SELECT COUNT(*) FROM capsule_shares WHERE player = ? AND owner = ?",
      player,
      owner
    )[0].value(0)
    guard own >= Capsule.sharedByOneMax else { return false }
    return try !db.finds(
      """
      SELECT 1 FROM capsule_shares
      JOIN capsule_openings ON capsule_openings.player = capsule_shares.player
        AND capsule_openings.capsule = capsule_shares.capsule
      WHERE capsule_shares.player = ? AND owner = ?
      """,
      player,
      owner
    )
  }

  /// Names players for a capsule.
  func name(_ players: [PlayerID], for capsule: CapsuleID, of owner: PlayerID) throws {
    for player in players {
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
