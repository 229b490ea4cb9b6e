// The changes of media, and what refers to them, inside a commit.
import GRDB
import Game

/// The writing of media's changes.
struct MediaWriting {
  let db: Database

  func write(_ change: MediaChange) throws -> MediaOutcome {
    switch change {
    case .add(let media): return try add(media)
    }
  }

  private func add(_ media: StoredMedia) throws -> MediaOutcome {
    guard try db.knows(media.owner) else { return .notFound }
    if let owner: PlayerID = try db.row("SELECT owner FROM media WHERE id = ?", media.id)?.value(0) {
      return owner == media.owner ? .added : .notFound
    }
    try db.run(
      """
      INSERT INTO media (id, owner, digest, type, width, height, size_bytes, uploaded_at, unused_since)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      media.id,
      media.owner,
      Blob(media.digest.bytes),
      media.type.rawValue,
      media.width,
      media.height,
      media.sizeBytes,
      media.uploadedAt,
      media.uploadedAt
    )
    return .added
  }
}

/// The references to media. The changes of capsules and posts use it in their transaction.
struct MediaUses {
  let db: Database

  /// Has a subject refer to these media and no others. False, and nothing changes, where one of them is not there or
  /// not the owner's.
  func set(_ media: [MediaID], of kind: MediaUse, _ subject: UInt128, owner: PlayerID, at moment: Instant) throws
    -> Bool
  {
    let before = try used(by: kind, subject)
    let after = Set(media)
    for id in after where !before.contains(id) {
      guard try db.finds("SELECT 1 FROM media WHERE id = ? AND owner = ?", id, owner) else { return false }
    }
    for id in before.subtracting(after) { try remove(id, from: kind, subject, at: moment) }
    for id in after.subtracting(before) {
      try db.run(
        "INSERT INTO media_uses (kind, subject, media) VALUES (?, ?, ?)",
        kind.rawValue,
        Blob(subject),
        id
      )
      try db.run("UPDATE media SET unused_since = NULL WHERE id = ? AND unused_since IS NOT NULL", id)
    }
    return true
  }

  /// The subject refers to nothing any more.
  func removeAll(of kind: MediaUse, _ subject: UInt128, at moment: Instant) throws {
    for id in try used(by: kind, subject) { try remove(id, from: kind, subject, at: moment) }
  }

  private func used(by kind: MediaUse, _ subject: UInt128) throws -> Set<MediaID> {
    let rows = try db.rows(
      "SELECT media FROM media_uses WHERE kind = ? AND subject = ?",
      kind.rawValue,
      Blob(subject)
    )
    return Set(try rows.map { try $0.value(0) })
  }

  private func remove(_ id: MediaID, from kind: MediaUse, _ subject: UInt128, at moment: Instant) throws {
    try db.run(
      "DELETE FROM media_uses WHERE kind = ? AND subject = ? AND media = ?",
      kind.rawValue,
      Blob(subject),
      id
    )
    try db.run(
      """
      UPDATE media SET unused_since = ?
      WHERE id = ? AND NOT EXISTS (SELECT 1 FROM media_uses WHERE media_uses.media = media.id)
      """,
      moment,
      id
    )
  }
}

/// The deletion of media, inside a piece of maintenance or of an erasure. Their blobs are deleted behind the commit.
struct MediaRemoval {
  private static let rowsAtOnce = 100

  let db: Database

  /// Deletes media that nothing has referred to since a moment; returns their number, at most one piece.
  func removeUnused(since moment: Instant) throws -> Int {
    try remove(
      db.rows(
        "SELECT id, digest FROM media WHERE unused_since <= ? ORDER BY unused_since LIMIT ?",
        moment,
        Self.rowsAtOnce
      )
    )
  }

  /// Deletes media of a player, and what refers to them; returns their number, at most one piece.
  func removeMedia(of player: PlayerID) throws -> Int {
    try remove(db.rows("SELECT id, digest FROM media WHERE owner = ? LIMIT ?", player, Self.rowsAtOnce))
  }

  private func remove(_ rows: [Row]) throws -> Int {
    for row in rows {
      let (id, digest): (MediaID, Blob) = (try row.value(0), try row.value(1))
      try db.run("DELETE FROM media_uses WHERE media = ?", id)
      try db.run("DELETE FROM media WHERE id = ?", id)
      try db.run("INSERT INTO dropped_blobs (digest) VALUES (?) ON CONFLICT (digest) DO NOTHING", digest)
    }
    return rows.count
  }
}
