// Writes the log back into the database file, off the commits' way: on a connection and a queue of its own. What fails
// here (a full disk) is tried again with later commits; nothing is lost by it, the log just stays.
// Decisions: 051 (docs/decisions).
import Dispatch
import GRDB
import Glibc
import Synchronization

/// The checkpoints of one store.
package final class Checkpoints: Sendable {
  /// A checkpoint is due when about so much was written since the last one.
  private static let intervalBytes = 4 << 20
  /// What a changed row counts for, which dirties pages of its table and of a few indexes, each written whole.
  private static let bytesPerRow = 16_384
  /// A log that has grown to so many frames of a page is emptied: commits wait until what is left is written back.
  /// Where commits leave a pause it doesn't come to that: once all is written back, the next commit begins the log
  /// anew.
  private static let framesMax = 2_048

  private struct State {
    var bytesSince = 0
    var isRequested = false
    var isToEmpty = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let connection: DatabaseQueue

  package init(path: String, queue: DispatchQueue = DispatchQueue(label: "madang.store.checkpoints")) throws {
    self.queue = queue
    var configuration = Configuration()
    configuration.label = "madang.store.checkpoint"
    configuration.journalMode = .wal
    // How long an emptying waits for readers, and commits with it.
    configuration.busyMode = .timeout(1)
    connection = try DatabaseQueue(path: path, configuration: configuration)
    try connection.inDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    // What a process has left that died counts too: or, if each dies soon, the log would grow without end.
    var status = stat()
    let left = stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    state.withLock { $0.bytesSince = left }
  }

  /// Counts what a transaction wrote, on any queue; may make a checkpoint due.
  package func noteWrites(bytes: Int, rows: Int) {
    let isDue = state.withLock { state in
      state.bytesSince += bytes + rows * Self.bytesPerRow
      return state.bytesSince >= Self.intervalBytes
    }
    if isDue { request() }
  }

  /// Waits where a checkpoint is due again before the last one has begun: a disk that is slow to write back does not
  /// let the log grow. On the writer's queue, before it writes.
  package func waitUntilWrittenBack() {
    let isLate = state.withLock { $0.isRequested && $0.bytesSince >= Self.intervalBytes }
    if isLate { queue.sync {} }
  }

  /// Has a checkpoint made soon, unless one is about to be; an emptied log takes no room any more.
  func request(emptying: Bool = false) {
    let isFirst = state.withLock { state in
      if emptying { state.isToEmpty = true }
      guard !state.isRequested, !state.isClosed else { return false }
      state.isRequested = true
      state.bytesSince = 0
      return true
    }
    if isFirst { queue.async { self.run() } }
  }

  private func run() {
    let isToEmpty = state.withLock { state in
      defer { (state.isRequested, state.isToEmpty) = (false, false) }
      return state.isToEmpty
    }
    try? connection.inDatabase { db in
      let log = try db.checkpoint(.passive)
      if isToEmpty || log.walFrameCount >= Self.framesMax { try db.checkpoint(.truncate) }
    }
  }

  package func close() {
    state.withLock { $0.isClosed = true }
    queue.sync {}
    try? connection.close()
  }
}
