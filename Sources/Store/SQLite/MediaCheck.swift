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
      """
      SELECT DISTINCT kind, subject FROM media_uses
      WHERE NOT (kind = 1 AND EXISTS (SELECT 1 FROM capsules WHERE capsules.id = media_uses.subject))
        AND NOT (kind = 2 AND EXISTS (SELECT 1 FROM posts WHERE posts.id = media_uses.subject))
        AND NOT (kind = 3 AND EXISTS (SELECT 1 FROM profiles WHERE profiles.player = media_uses.subject))
      """
    )
    return try unused.map { "medium \(try $0.value(0, MediaID.self)) is used and unused" }
      + strays.map { row in
        let (kind, subject): (MediaUse?, MediaID) = (MediaUse(rawValue: try row.value(0)), try row.value(1))
        return "media of \(kind.map { "\($0)" } ?? "something") \(subject), which is not there"
      } + brokenPictures(of: .capsule, Self.capsulesWithPictures) + brokenPictures(of: .post, Self.postsWithPictures)
  }

  // Those that name pictures, and those that the references are of.
  private static let capsulesWithPictures = """
    SELECT id, pictures FROM capsules JOIN capsule_texts ON capsule_texts.capsule = capsules.id
    WHERE length(pictures) > 0 OR EXISTS (SELECT 1 FROM media_uses WHERE kind = 1 AND subject = capsules.id)
    """
  private static let postsWithPictures = """
    SELECT id, pictures FROM posts JOIN post_texts ON post_texts.post = posts.number
    WHERE length(pictures) > 0 OR EXISTS (SELECT 1 FROM media_uses WHERE kind = 2 AND subject = posts.id)
    """

  /// Holds the pictures of capsules or posts to the rows that say who refers to what. Those of profiles are held to
  /// theirs by the check of profiles.
  private func brokenPictures(of kind: MediaUse, _ query: String) throws -> [String] {
    let rows = try Row.fetchCursor(db.cachedStatement(sql: query))
    var complaints: [String] = []
    while let row = try rows.next() {
      let (id, pictures): (MediaID, Blob) = (try row.value(0), try row.value(1))
      let used = try db.rows("SELECT media FROM media_uses WHERE kind = ? AND subject = ?", kind.rawValue, id)
      if try Set([MediaID](bytes: pictures.bytes)) != Set(used.map { try $0.value(0, MediaID.self) }) {
        complaints.append("\(kind) \(id) has other pictures than it refers to")
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
