// The copy of a store's blobs, beside the copy of its database. Blocks.
import GRDB
import Game

extension BlobFiles {
  /// Copies the blobs that a copy of the database names, unless they are here. One that is swept meanwhile is named by
  /// nothing that refers to it: such media are kept for an hour.
  func copy(from source: BlobFiles, namedBy path: String) throws {
    let copy = try DatabaseQueue(path: path)
    let digests = try copy.read { db in
      try db.rows("SELECT DISTINCT digest FROM media ORDER BY digest").map { try $0.digest(0) }
    }
    try copy.close()
    for digest in digests {
      for name in MediaSize.allCases.map({ BlobName(digest, $0) }) {
        guard let byteCount = source.byteCount(of: name), byteCount != self.byteCount(of: name) else { continue }
        try self.copy(source.path(of: name), as: name)
      }
    }
  }
}
