// Reads of media. On readers' queues.
import GRDB
import Game

/// A store whose media are read from an SQLite database.
package protocol MediaReading: MediaStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)

  var pool: DatabasePool { get }
}

extension SQLiteStore: MediaReading {}

extension MediaReading {
  package func media(_ ids: [MediaID], _ completion: @escaping Completion<[StoredMedia]>) {
    read(completion) { db in
      try ids.compactMap { try db.row("\(StoredMedia.query) WHERE id = ?", $0).map(StoredMedia.init(row:)) }
    }
  }

  package func usedMedia(_ id: MediaID, _ completion: @escaping Completion<StoredMedia?>) {
    read(completion) { db in
      try db.row("\(StoredMedia.query) WHERE id = ? AND unused_since IS NULL", id).map(StoredMedia.init(row:))
    }
  }

  package func mediaKey(orKeep new: [UInt8]) throws(StoreFailure) -> [UInt8] {
    do {
      return try pool.writeWithoutTransaction { db in
        try db.transaction {
          try db.run(
            "INSERT INTO media_keys (number, secret) VALUES (0, ?) ON CONFLICT (number) DO NOTHING",
            Blob(new)
          )
          return try db.rows("SELECT secret FROM media_keys WHERE number = 0")[0].value(0, Blob.self).bytes
        }
      }
    } catch {
      throw StoreFailure(error)
    }
  }
}

extension StoredMedia {
  static let query = "SELECT id, owner, digest, type, width, height, size_bytes, uploaded_at FROM media"

  init(row: Row) throws {
    guard let type = MediaType(rawValue: try row.value(3)) else { throw StoreFailure.corrupt("the type of a medium") }
    self.init(
      id: try row.value(0),
      owner: try row.value(1),
      digest: try row.digest(2),
      type: type,
      width: try row.value(4),
      height: try row.value(5),
      sizeBytes: try row.value(6),
      uploadedAt: try row.value(7)
    )
  }
}

extension Row {
  func digest(_ index: Int) throws -> MediaDigest {
    let bytes = try value(index, Blob.self).bytes
    guard bytes.count == MediaDigest.byteCount else { throw StoreFailure.corrupt("the digest of a medium") }
    return MediaDigest(bytes)
  }
}

extension Database {
  /// Whether a medium names the digest.
  func names(_ digest: MediaDigest) throws -> Bool {
    try finds("SELECT 1 FROM media WHERE digest = ? LIMIT 1", Blob(digest.bytes))
  }
}
