// A copy of the store while it is written: SQLite's online backup in one step, which is one snapshot, then the files of
// its pictures. The copy has a temporary name until every byte is on the disk, so the file under the real name is
// always complete, and so is the folder beside it. Blocks.
import GRDB
import Glibc

extension SQLiteStore {
  /// Copies the store of a folder to `file`, and its pictures to the folder `file.media`; replaces any file there. A
  /// server may write the store meanwhile.
  package static func backup(folder: String, to file: String) throws(StoreFailure) {
    let temporary = file + ".partial"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
    do {
      let source = try SQLiteStore(folder: folder, isReadOnly: true)
      defer { source.close() }
      try copy(source, to: temporary)
      try BlobFiles.sync(temporary)
      try BlobFiles(root: file + ".media").copy(from: source.blobs.files, namedBy: temporary)
      try BlobFiles.move(temporary, to: file)
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
      throw StoreFailure(error)
    }
  }

  private static func copy(_ source: SQLiteStore, to path: String) throws {
    let target = try DatabaseQueue(path: path)
    try source.pool.backup(to: target)
    // In WAL mode a reader of the copy would need to write beside it.
    try target.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
    try target.close()
  }
}
