// Writes the log back into the database file on a connection and a queue of its own, so that commits don't wait. A
// failure (a full disk) is retried with later commits; it loses nothing, the log just stays.
// Decisions: 051 (docs/decisions).
import Dispatch
import GRDB
import Glibc
import Locks

/// The checkpoints of one store.
package final class Checkpoints: Sendable {
  /// The amount of writes since the last checkpoint that makes the next one due.
  private static let intervalBytes = 4 << 20
  /// The estimated bytes of a changed row: it dirties pages of its table and of a few indexes, each written whole.
  private static let bytesPerRow = 16_384
  /// The length of the log, in frames of a page, at which it is emptied: commits then wait until the rest is written
  /// back. A pause between commits prevents that: once all is written back, the next commit restarts the log.
  private static let framesMax = 2_048

  private struct State {
    var bytesSince = 0
    var isRequested = false
    var isToEmpty = false
    var isClosed = false
  }

  private let state = OrderedMutex(.leaf, State())
  private let queue: DispatchQueue
  private let connection: DatabaseQueue

  package init(path: String, queue: DispatchQueue = DispatchQueue(label: "madang.store.checkpoints")) throws {
    self.queue = queue
    var configuration = Configuration()
    configuration.label = "madang.store.checkpoint"
    configuration.journalMode = .wal
    // The time that an emptying waits for readers, and commits with it.
    configuration.busyMode = .timeout(1)
    connection = try DatabaseQueue(path: path, configuration: configuration)
    try connection.inDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    // The log of a process that died counts too: if each died soon, the log would grow without end.
    var status = stat()
    let left = stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    state.withLock { $0.bytesSince = left }
  }

  /// Counts the writes of a transaction, on any queue; may make a checkpoint due.
  package func noteWrites(bytes: Int, rows: Int) {
    let isDue = state.withLock { state in
      state.bytesSince += bytes + rows * Self.bytesPerRow
      return state.bytesSince >= Self.intervalBytes
    }
    if isDue { request() }
  }

  /// Waits if a checkpoint is due again before the last one has begun, so that a slow disk does not let the log grow.
  /// On the writer's queue, before it writes.
  package func waitUntilWrittenBack() {
    let isLate = state.withLock { $0.isRequested && $0.bytesSince >= Self.intervalBytes }
    if isLate { queue.sync {} }
  }

  /// Requests a checkpoint unless one is already requested. With `emptying` the log's file is emptied as well.
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
