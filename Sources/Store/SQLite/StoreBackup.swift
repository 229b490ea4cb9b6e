// A backup as `SQLiteStore.backup` writes it: a file, and the folder of its pictures beside it. It is checked, and put
// back as a folder's store: its pictures first, the database behind them. The database has a temporary name until every
// byte is on the disk, so a folder has a whole store or none. Blocks.
import GRDB
import Glibc

package struct StoreBackup {
  private let file: String
  private var blobs: BlobFiles { BlobFiles(root: file + ".media") }

  package init(file: String) { self.file = file }

  /// The backup's faults, a line each; empty when a server can start on it.
  ///
  /// - Throws: `StoreFailure`, also for a file that is no backup at all.
  package func check() throws(StoreFailure) -> [String] {
    try StrangerFile.refuse(file)
    return try StoreCheck.complaints(blobs) { check in
      let copy = try DatabaseQueue(path: file, configuration: SQLiteStore.configuration(isReadOnly: true))
      defer { try? copy.close() }
      return try copy.read { db in
        try Schema.require(db)
        return try check(db)
      }
    }
  }

  /// Makes `folder` the place of the backup's data; the folder has no store before. The backup stays as it is.
  ///
  /// - Throws: `StoreFailure`, `.locked` while a server runs on the folder.
  package func restore(to folder: String) throws(StoreFailure) {
    let lock = try FolderLock(folder: folder)
    defer { lock.release() }
    let path = SQLiteStore.path(in: folder)
    for suffix in ["", "-wal", "-journal"] where access(path + suffix, F_OK) == 0 {
      throw .io("there is a store already: \(path + suffix)")
    }
    do {
      let missing = try BlobFiles(in: folder).copy(from: blobs, namedBy: file)
      guard missing.isEmpty else { throw StoreFailure.io("\(missing.count) pictures are not in \(file).media") }
      try BlobFiles.copy(file, to: path)
      try BlobFiles.sync(folder)
    } catch {
      throw StoreFailure(error)
    }
  }
}
