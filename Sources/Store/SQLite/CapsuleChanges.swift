// The changes of capsules, inside a commit; who may see one is changed in `CapsuleSharing.swift`.
import GRDB
import Game

/// The writing of capsules' changes.
struct CapsuleWriting {
  let db: Database
  /// The time when the batch was made.
  let at: Instant
  let progress: ProgressWriting

  func write(_ change: CapsuleChange) throws -> CapsuleOutcome {
    switch change {
    case .bury(let capsule, let players): return try bury(capsule, sharedWith: players)
    case .edit(let edit): return try self.edit(edit)
    case .share(let id, let owner, let everyone, let with, let without):
      return try share(id, of: owner, everyone: everyone, with: with, without: without)
    case .leave(let id, let player):
      try db.run("DELETE FROM capsule_shares WHERE player = ? AND capsule = ?", player, id)
      return .left
    case .delete(let id, let owner):
      guard let capsule = try capsule(id, of: owner) else { return .notFound }
      try CapsuleRemoval(db: db).remove(capsule, at: at)
      return .deleted
    case .open(let id, let player, let place, let at): return try open(id, by: player, at: place, at)
    }
  }

  /// A capsule of this owner; nil for another one, and once the owner's deletion has begun.
  func capsule(_ id: CapsuleID, of owner: PlayerID) throws -> Capsule? {
    guard try db.knows(owner) else { return nil }
    return try db.row("\(Capsule.query) WHERE id = ? AND owner = ?", id, owner).map(Capsule.init(row:))
  }

  private func bury(_ capsule: Capsule, sharedWith players: [PlayerID]) throws -> CapsuleOutcome {
    guard try db.knows(capsule.owner) else { return .notFound }
    if let owner: PlayerID = try db.row("SELECT owner FROM capsules WHERE id = ?", capsule.id)?.value(0) {
      guard owner == capsule.owner, let known = try db.summary(of: capsule.id, for: owner) else { return .notFound }
      return .buried(known)
    }
    // Openings of a deleted capsule may still be there.
    guard try !db.finds("SELECT 1 FROM deleted_capsules WHERE id = ?", capsule.id) else { return .notFound }
    let count: Int = try db.rows("SELECT COUNT(*) FROM capsules WHERE owner = ?", capsule.owner)[0].value(0)
    guard count < Capsule.ownedMax, Set(players).subtracting([capsule.owner]).count <= Capsule.namedMax else {
      return .tooMany
    }
    let named = try nameable(players, of: capsule.owner)
    guard named.full.isEmpty else { return .full(named.full) }
    guard try use(capsule.pictures, for: capsule.id, of: capsule.owner) else { return .mediaNotFound }
    let code = PlaceCode(capsule.place)
    try db.run(
      """
      INSERT INTO capsules (id, owner, title, memory_day, code, buried_at, is_for_everyone, open_count)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0)
      """,
      capsule.id,
      capsule.owner,
      capsule.title,
      capsule.memoryDay,
      code.value,
      capsule.buriedAt,
      capsule.isForEveryone ? 1 : 0
    )
    try db.run(
      "INSERT INTO capsule_texts (capsule, text, pictures) VALUES (?, ?, ?)",
      capsule.id,
      capsule.text,
      Blob(capsule.pictures.bytes)
    )
    if capsule.isForEveryone { try CapsuleCells(db: db).add(code) }
    try db.addCapsuleTotals(capsules: 1, bytes: capsule.byteCount)
    try name(named.players, for: capsule.id, of: capsule.owner)
    var buried = capsule
    (buried.openCount, buried.isHidden) = (0, false)
    return .buried(buried.summary(hasOpened: false))
  }

  private func edit(_ edit: CapsuleEdit) throws -> CapsuleOutcome {
    guard let capsule = try capsule(edit.id, of: edit.owner) else { return .notFound }
    guard let edited = edit.applied(to: capsule) else { return .edited(capsule.summary(hasOpened: false)) }
    if edited.pictures != capsule.pictures {
      guard try use(edited.pictures, for: edited.id, of: edited.owner) else { return .mediaNotFound }
    }
    let (before, after) = (PlaceCode(capsule.place), PlaceCode(edited.place))
    try db.run(
      "UPDATE capsules SET title = ?, memory_day = ?, code = ?, edited_at = ? WHERE id = ?",
      edited.title,
      edited.memoryDay,
      after.value,
      edited.editedAt,
      edited.id
    )
    if (edited.text, edited.pictures) != (capsule.text, capsule.pictures) {
      try db.run(
        "UPDATE capsule_texts SET text = ?, pictures = ? WHERE capsule = ?",
        edited.text,
        Blob(edited.pictures.bytes),
        edited.id
      )
    }
    if before != after && capsule.isListed {
      try CapsuleCells(db: db).remove(before)
      try CapsuleCells(db: db).add(after)
    }
    if edited.byteCount != capsule.byteCount {
      try db.addCapsuleTotals(bytes: edited.byteCount - capsule.byteCount)
    }
    return .edited(edited.summary(hasOpened: false))
  }

  private func use(_ pictures: [MediaID], for capsule: CapsuleID, of owner: PlayerID) throws -> Bool {
    try MediaUses(db: db).set(pictures, of: .capsule, capsule.value, owner: owner, at: at)
  }

  private func open(_ id: CapsuleID, by player: PlayerID, at place: Coordinate, _ at: Instant) throws -> CapsuleOutcome
  {
    guard try db.knows(player), try db.isVisible(id, to: player),
      var capsule = try db.row("\(Capsule.query) WHERE id = ?", id).map(Capsule.init(row:))
    else { return .notFound }
    guard capsule.place == place else { return .placeChanged }
    guard capsule.owner != player else { return .opened(capsule, isFirst: false) }
    let isFirst =
      try db.run(
        """
        INSERT INTO capsule_openings (capsule, player, opened_at) VALUES (?, ?, ?)
        ON CONFLICT (player, capsule) DO NOTHING
        """,
        id,
        player,
        at
      ) > 0
    if isFirst {
      capsule.openCount += 1
      try db.run("UPDATE capsules SET open_count = ? WHERE id = ?", capsule.openCount, id)
      try db.addCapsuleTotals(openings: 1)
      try progress.opened(by: player)
    }
    return .opened(capsule, isFirst: isFirst)
  }
}

extension Database {
  func addCapsuleTotals(capsules: Int64 = 0, openings: Int64 = 0, bytes: Int64 = 0) throws {
    try run(
      """
      UPDATE capsule_totals
      SET capsules_count = capsules_count + ?, open_count = open_count + ?, byte_count = byte_count + ? WHERE number = 0
      """,
      capsules,
      openings,
      bytes
    )
  }
}
