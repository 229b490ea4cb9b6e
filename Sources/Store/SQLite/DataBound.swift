// The bound on a data folder's size. Any thread; guarded by a lock. The database's size is measured after each
// transaction of the writer, so a commit only compares two numbers.
import GRDB
import Glibc
import Locks

/// The size of one store's files, and its bound.
final class DataBound: Sendable {
  private struct State {
    var databaseBytes = 0
    var logBytes = 0
    var blobBytes = 0
    var usedBytes: Int { databaseBytes + logBytes + blobBytes }
    /// The space left on the file system.
    var availableBytes = 0
    var isReached = false
  }

  /// The operator's bound; nil where only the file system limits the store.
  private let bytesMax: Int?
  private let folder: String
  private let pageBytes: Int
  private let state = OrderedMutex(.leaf, State())

  init(_ bytesMax: Int?, folder: String, on db: Database) throws {
    self.bytesMax = bytesMax
    self.folder = folder
    pageBytes = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
    try measure(db)
    measureDisk()
  }

  /// Stores the size of the log's file, and of all blobs.
  func note(logBytes: Int, blobBytes: Int) {
    state.withLock { state in
      state.logBytes = logBytes
      state.blobBytes = blobBytes
    }
  }

  /// Measures the database's pages in use. On the writer's queue, outside a transaction.
  func measure(_ db: Database) throws {
    let pages = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    let free = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
    state.withLock { $0.databaseBytes = (pages - free) * pageBytes }
  }

  /// Measures the space left on the file system.
  func measureDisk() {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return }
    let (bytes, isTooMany) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    state.withLock { $0.availableBytes = isTooMany ? .max / 2 : bytes }
  }

  /// Throws `.full` when the bound is reached, and from then on until a 64th of it is free. Otherwise a server at its
  /// bound would fail and recover with each commit.
  func admit() throws(StoreFailure) {
    guard let bytesMax else { return }
    let isReached = state.withLock { state in
      let bound = state.isReached ? bytesMax - bytesMax / 64 : bytesMax
      state.isReached = state.usedBytes >= bound
      return state.isReached
    }
    if isReached { throw .full }
  }

  /// Whether the log should be made as small as it can be.
  var isReached: Bool { state.withLock { $0.isReached } }

  var usage: StoreUsage {
    state.withLock { state in
      let used = state.usedBytes
      return StoreUsage(
        usedBytes: used,
        bytesMax: bytesMax ?? used + state.availableBytes,
        isBoundReached: state.isReached
      )
    }
  }
}
