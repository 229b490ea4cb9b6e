// A data folder under restoration: a database's file that has a temporary name until it was found whole, and its
// pictures. The folder is locked meanwhile, and has a whole store or none. Blocks.
import GRDB
import Game
import Glibc

package final class RestoredFolder {
  /// The database's file, which the caller writes.
  package let file: String
  private let folder: String
  private let lock: FolderLock
  private let blobs: BlobFiles

  /// - Throws: `StoreFailure`, where the folder has a store already, or a server runs on it.
  package init(_ folder: String) throws(StoreFailure) {
    self.folder = folder
    file = SQLiteStore.path(in: folder) + ".restored"
    blobs = BlobFiles(in: folder)
    lock = try FolderLock(folder: folder)
    let path = SQLiteStore.path(in: folder)
    for suffix in ["", "-wal", "-journal"] where access(path + suffix, F_OK) == 0 {
      throw .io("there is a store already: \(path + suffix)")
    }
    removeFile()
  }

  /// Makes the file readable by itself, without a log beside it. Returns the pictures that it names.
  package func prepare() throws(StoreFailure) -> [BlobName] {
    do {
      let database = try DatabaseQueue(path: file)
      try database.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
      let digests = try database.read { db in
        try Schema.require(db)
        return try db.rows("SELECT DISTINCT digest FROM media ORDER BY digest").map { try $0.digest(0) }
      }
      try database.close()
      return digests.flatMap { digest in MediaSize.allCases.map { BlobName(digest, $0) } }
    } catch {
      throw StoreFailure(error)
    }
  }

  package func has(_ name: BlobName) -> Bool { blobs.byteCount(of: name) != nil }

  package func put(_ bytes: [UInt8], as name: BlobName) throws(StoreFailure) {
    try blobs.put(bytes, as: name)
  }

  /// The faults of the database, a line each; with `pictures` those of the files of pictures too.
  package func check(pictures: Bool) throws(StoreFailure) -> [String] {
    try StoreCheck.complaints(pictures ? blobs : nil) { check in
      let database = try DatabaseQueue(path: file, configuration: SQLiteStore.configuration(isReadOnly: true))
      defer { try? database.close() }
      return try database.read(check)
    }
  }

  /// Gives the file its name: the folder has a store from now on.
  package func complete() throws(StoreFailure) {
    try BlobFiles.sync(file)
    try BlobFiles.move(file, to: SQLiteStore.path(in: folder))
  }

  /// Ends the restoration; a file that was not completed is deleted.
  package func close() {
    removeFile()
    lock.release()
  }

  private func removeFile() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(file + suffix) }
  }
}
