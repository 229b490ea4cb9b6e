// A copy of the store while it is written: SQLite's online backup in one step, which is one snapshot, then the files of
// its pictures. The copy has a temporary name until every byte is on the disk, so the file under the real name is
// always complete, and so is the folder beside it. Blocks.
//
// Pictures may be deleted between the two, with their player. Then the database is copied once more: a file is deleted
// behind the commit that takes its rows away, so no later copy names it.
import GRDB
import Glibc

extension SQLiteStore {
  private static let attemptsMax = 20

  /// Copies the store of a folder to `file`, and its pictures to the folder `file.media`; replaces any file there. A
  /// server may write the store meanwhile. `afterDatabase` is called after each copy of the database, before that of
  /// the pictures.
  package static func backup(folder: String, to file: String, afterDatabase: () -> Void = {}) throws(StoreFailure) {
    let temporary = file + ".partial"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
    do {
      let source = try SQLiteStore(folder: folder, isReadOnly: true)
      defer { source.close() }
      try copy(source, to: temporary, media: file + ".media", afterDatabase)
      try BlobFiles.move(temporary, to: file)
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
      throw StoreFailure(error)
    }
  }

  /// Copies the database and then its pictures, until all that it names are there.
  private static func copy(
    _ source: SQLiteStore,
    to path: String,
    media: String,
    _ afterDatabase: () -> Void
  ) throws {
    var missing: Set<MediaDigest> = []
    for _ in 0..<attemptsMax {
      try copy(source, to: path)
      try BlobFiles.sync(path)
      afterDatabase()
      let gone = try BlobFiles(root: media).copy(from: source.blobs.files, namedBy: path)
      // A file that was gone before the database was copied, and is still named, is lost: the check tells of it.
      if gone.isSubset(of: missing) { return }
      missing.formUnion(gone)
    }
    throw StoreFailure.io("pictures are deleted faster than the database is copied")
  }

  private static func copy(_ source: SQLiteStore, to path: String) throws {
    unlink(path)
    let target = try DatabaseQueue(path: path)
    try source.pool.backup(to: target)
    // In WAL mode a reader of the copy would need to write beside it.
    try target.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
    try target.close()
  }
}
