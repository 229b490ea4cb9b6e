// The copy of a store's blobs, beside the copy of its database. Blocks.
import GRDB
import Game

extension BlobFiles {
  /// Copies the blobs that a copy of the database names, unless they are here. Returns the digests of those that are
  /// not there: a deletion behind the copy of the database has taken them away, or they are lost.
  func copy(from source: BlobFiles, namedBy path: String) throws -> Set<MediaDigest> {
    let copy = try DatabaseQueue(path: path, configuration: SQLiteStore.configuration(isReadOnly: true))
    let digests = try copy.read { db in
      try db.rows("SELECT DISTINCT digest FROM media ORDER BY digest").map { try $0.digest(0) }
    }
    try copy.close()
    var missing: Set<MediaDigest> = []
    for digest in digests {
      for name in MediaSize.allCases.map({ BlobName(digest, $0) }) where try !take(name, from: source) {
        missing.insert(digest)
      }
    }
    return missing
  }

  /// Copies a blob unless it is here; false where it is in neither place.
  private func take(_ name: BlobName, from source: BlobFiles) throws -> Bool {
    guard let byteCount = source.byteCount(of: name) else { return byteCount(of: name) != nil }
    guard byteCount != self.byteCount(of: name) else { return true }
    do {
      try copy(source.path(of: name), as: name)
      return true
    } catch {
      // It may have gone in this very moment.
      guard source.byteCount(of: name) == nil else { throw error }
      return false
    }
  }
}
