// The check of media: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  func brokenMedia() throws -> [String] {
    let unused = try db.rows(
      """
      SELECT id FROM media
      WHERE (unused_since IS NULL) <> (EXISTS (SELECT 1 FROM media_uses WHERE media_uses.media = media.id))
      """
    )
    let strays = try db.rows(
      "SELECT DISTINCT subject FROM media_uses WHERE kind = 1 AND NOT EXISTS (SELECT 1 FROM capsules WHERE id = subject)"
    )
    return try unused.map { "medium \(try $0.value(0, MediaID.self)) is used and unused" }
      + strays.map {
        "media of capsule \(try $0.value(0, CapsuleID.self)), which is not there"
      } + brokenPictures()
  }

  /// Holds the pictures of capsules to the rows that say who refers to what.
  private func brokenPictures() throws -> [String] {
    let rows = try Row.fetchCursor(db.cachedStatement(sql: "\(Capsule.query) WHERE length(pictures) > 0 ORDER BY id"))
    var complaints: [String] = []
    while let row = try rows.next() {
      let capsule = try Capsule(row: row)
      let used = try db.rows("SELECT media FROM media_uses WHERE kind = 1 AND subject = ?", capsule.id)
      if Set(capsule.pictures) != Set(try used.map { try $0.value(0, MediaID.self) }) {
        complaints.append("capsule \(capsule.id) has other pictures than it refers to")
      }
    }
    return complaints
  }

  /// The blobs that media name and that are not there.
  func missingBlobs(_ files: BlobFiles) throws -> [String] {
    try db.rows("SELECT DISTINCT digest FROM media").compactMap { row in
      let digest = try row.digest(0)
      let isWhole = MediaSize.allCases.allSatisfy { files.byteCount(of: BlobName(digest, $0)) != nil }
      return isWhole ? nil : "the files of a picture are missing: media/\(digest.text.prefix(2))/\(digest.text)"
    }
  }
}
