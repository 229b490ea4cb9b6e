// A copy of the store while it is written: SQLite's online backup in one step, which is one snapshot. The copy has a
// temporary name until every byte is on the disk, so the file under the real name is always complete. Blocks.
import GRDB
import Glibc

extension SQLiteStore {
  /// Copies the store of a folder to `file` and replaces any file there; a server may write the store meanwhile.
  package static func backup(folder: String, to file: String) throws(StoreFailure) {
    let temporary = file + ".partial"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
    do {
      let source = try SQLiteStore(folder: folder, isReadOnly: true)
      defer { source.close() }
      try copy(source, to: temporary)
      try sync(temporary)
      guard rename(temporary, file) == 0 else { throw StoreFailure.ofErrno(errno, "renaming \(temporary)") }
      try sync(self.folder(of: file))
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

  private static func folder(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  private static func sync(_ path: String) throws(StoreFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .ofErrno(errno, "opening \(path)") }
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .ofErrno(errno, "syncing \(path)") }
  }
}
