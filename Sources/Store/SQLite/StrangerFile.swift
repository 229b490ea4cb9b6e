// A file that is given as a backup and is none: empty, no database, or a database of another program. It is told apart
// before the store's own checks, whose words are for stores. Blocks; reads the file's first bytes.
import GRDB
import Glibc

enum StrangerFile {
  /// The beginning of each SQLite database's file.
  private static let mark = Array("SQLite format 3\0".utf8)

  /// Whether any program has made a table in a database.
  static func hasTables(_ db: Database) throws -> Bool {
    // Begun with another word than those of the store's own statements, which another database takes too.
    try Bool.fetchOne(db, sql: "VALUES (EXISTS (SELECT 1 FROM sqlite_master))") ?? false
  }

  /// Refuses a file that is no backup by its first bytes.
  ///
  /// - Throws: `StoreFailure`, whose words name the file and tell what it is.
  static func refuse(_ file: String) throws(StoreFailure) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .ofErrno(errno, "opening \(file)") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .ofErrno(errno, "reading \(file)") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .other("\(file) is no file, and so no backup") }
    guard status.st_size > 0 else { throw .other("\(file) is empty: it is no backup") }
    let beginning = [UInt8](unsafeUninitializedCapacity: mark.count) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    guard beginning == mark else { throw .other("\(file) is no SQLite database, and so no backup") }
  }
}
