// The pages in a database's file, read in pieces while a server writes the store. Blocks.
//
// The pages are of no common moment, and one may be half written by a checkpoint. With the pages of all commits that
// were in the log at the begin or came meanwhile they are the database again (`CommitCapture`).
//
// SQLite reads the file, on a connection of its own: closing a descriptor of another program part would release the
// locks that the process has on it.
// Decisions: 153 (docs/decisions).
import GRDB
import GRDBSQLite

/// The file of one database.
package struct DatabasePages: Sendable {
  /// Some pages in a row.
  package struct Piece: Sendable {
    package let pageBytes: Int
    /// The pages of the whole file.
    package let filePageCount: Int
    /// The pages' bytes; empty behind the end of the file.
    package let bytes: [UInt8]
  }

  /// Where the size of a page is in the file's header.
  private static let headerByteCount = 18

  private let path: String

  package init(in folder: String) { path = SQLiteStore.path(in: folder) }

  /// Reads at most `count` pages, from the page `first` on, counted from 0.
  package func read(from first: Int, count: Int) throws(StoreFailure) -> Piece {
    do {
      let connection = try DatabaseQueue(path: path, configuration: SQLiteStore.configuration(isReadOnly: true))
      defer { try? connection.close() }
      return try connection.inDatabase { db in
        let file = try OpenDatabaseFile(db)
        let header = try file.byteCount >= Self.headerByteCount ? file.read(Self.headerByteCount, at: 0) : []
        guard !header.isEmpty else { return Piece(pageBytes: 4_096, filePageCount: 0, bytes: []) }
        let number = Int(header[16]) << 8 | Int(header[17])
        let pageBytes = number == 1 ? 65_536 : number
        guard pageBytes >= 512, pageBytes.nonzeroBitCount == 1 else { throw StoreFailure.corrupt("no size of a page") }
        let pageCount = file.byteCount / pageBytes
        let read = max(0, min(count, pageCount - first))
        let bytes = read == 0 ? [] : try file.read(read * pageBytes, at: first * pageBytes)
        return Piece(pageBytes: pageBytes, filePageCount: pageCount, bytes: bytes)
      }
    } catch {
      throw StoreFailure(error)
    }
  }
}

/// A connection's own file.
private struct OpenDatabaseFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods
  let byteCount: Int

  init(_ db: Database) throws {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
    guard code == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods?.pointee else {
      throw StoreFailure.io("the database has no file")
    }
    var size: sqlite3_int64 = 0
    guard let xFileSize = methods.xFileSize, xFileSize(pointer, &size) == SQLITE_OK else {
      throw StoreFailure.io("the database's file has no size")
    }
    (file, self.methods, byteCount) = (pointer, methods, Int(size))
  }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    var code = SQLITE_IOERR
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      code = methods.xRead.map { $0(file, buffer.baseAddress, Int32(count), sqlite3_int64(offset)) } ?? SQLITE_IOERR
      written = count
    }
    guard code == SQLITE_OK else { throw StoreFailure.io("the database's file can't be read (\(code))") }
    return bytes
  }
}
