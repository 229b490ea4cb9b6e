// The bound on what a data folder holds. Any thread; guarded by a lock. The database's size is asked behind each
// transaction of the writer, so that a commit has only to compare two numbers.
import GRDB
import Glibc
import Synchronization

/// What the files of one store hold, and may hold.
final class DataBound: Sendable {
  private struct State {
    var databaseBytes = 0
    var logBytes = 0
    /// What the file system has left.
    var availableBytes = 0
    var isReached = false
  }

  /// Nil where the file system alone is a bound.
  private let bytesMax: Int?
  private let folder: String
  private let pageBytes: Int
  private let state = Mutex(State())

  init(_ bytesMax: Int?, folder: String, on db: Database) throws {
    self.bytesMax = bytesMax
    self.folder = folder
    pageBytes = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
    try measure(db)
    measureDisk()
  }

  /// Notes how large the log's file is.
  func note(logBytes: Int) {
    state.withLock { $0.logBytes = logBytes }
  }

  /// Asks the database how many of its pages are in use. On the writer's queue, outside a transaction.
  func measure(_ db: Database) throws {
    let pages = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    let free = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
    state.withLock { $0.databaseBytes = (pages - free) * pageBytes }
  }

  /// Asks the file system how much room it has left.
  func measureDisk() {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return }
    let (bytes, isTooMany) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    state.withLock { $0.availableBytes = isTooMany ? .max / 2 : bytes }
  }

  /// Throws `.full` when the bound is reached, and from then on until a 64th of it is free: else a server at its bound
  /// would fail and recover with each commit.
  func admit() throws(StoreFailure) {
    guard let bytesMax else { return }
    let isReached = state.withLock { state in
      let bound = state.isReached ? bytesMax - bytesMax / 64 : bytesMax
      state.isReached = state.databaseBytes + state.logBytes >= bound
      return state.isReached
    }
    if isReached { throw .full }
  }

  /// Whether the log should be made as small as it can be.
  var isReached: Bool { state.withLock { $0.isReached } }

  var usage: StoreUsage {
    state.withLock { state in
      let used = state.databaseBytes + state.logBytes
      return StoreUsage(
        usedBytes: used,
        bytesMax: bytesMax ?? used + state.availableBytes,
        isBoundReached: state.isReached
      )
    }
  }
}
