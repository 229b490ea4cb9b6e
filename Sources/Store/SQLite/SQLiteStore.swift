// The embedded back end: one SQLite file in a folder, through GRDB. One writer on its own queue runs commits in the
// order of their calls; readers run beside it, each with a snapshot. Only durable data may be acknowledged: the writer
// commits with `synchronous=FULL`. Checkpoints run on another connection, so that they don't delay commits.
import Dispatch
import GRDB
import Game
import Glibc
import Synchronization

/// A store in `folder/madang.sqlite`.
///
/// A store that is open for writing holds the folder by a lock on `folder/madang.lock`. Any number of stores may be
/// open for reading beside it.
package final class SQLiteStore: Store, WebhookReading, HistoryReading {
  /// The path of a folder's store.
  package static func path(in folder: String) -> String { folder + "/madang.sqlite" }

  package let pool: DatabasePool
  private let lock: FolderLock?
  private let checkpoints: Checkpoints?
  /// The files for the path check; nil for reading only.
  private let files: OpenFiles?
  /// The bound on the size; nil for reading only.
  private let bound: DataBound?
  /// The queue for answers that need no connection.
  private let answers = DispatchQueue(label: "madang.store.answers")
  private let isClosed = Atomic<Bool>(false)
  let taps = TapWriting()
  package let blobs: BlobFolder
  private let webhookBytesMax: Int64
  /// The capture of commits for a copy; nil for reading only.
  let pageCapture: PageCapture?
  let erasures = Erasures()
  let unreportedDamage = UnreportedDamage()

  /// Opens the store, and makes it if there is none yet; for reading only, it must exist. With `bytesMax` commits fail
  /// with `.full` while the database's used pages and its log reach so many bytes, until space is made. Batches that
  /// only remove rows are written all the same.
  package init(
    folder: String,
    isReadOnly: Bool = false,
    bytesMax: Int? = nil,
    webhookBytesMax: Int = WebhookTarget.pendingBytesMax
  ) throws(StoreFailure) {
    self.webhookBytesMax = Int64(webhookBytesMax)
    lock = isReadOnly ? nil : try FolderLock(folder: folder)
    let path = Self.path(in: folder)
    do {
      for file in [path, path + "-wal"] { try FolderPermission.require(isReadOnly ? R_OK : R_OK | W_OK, of: file) }
      // Opening for writing writes, so a foreign file must be refused before.
      if !isReadOnly, access(path, F_OK) == 0 { try Self.refuseStranger(at: path) }
      pool = try DatabasePool(path: path, configuration: Self.configuration(isReadOnly: isReadOnly))
      blobs = BlobFolder(folder: folder, pool)
      if isReadOnly {
        try pool.read(Schema.require)
        (checkpoints, files, bound, pageCapture) = (nil, nil, nil, nil)
      } else {
        // The pool has just set NORMAL, which would sync only at checkpoints and lose commits acknowledged since.
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA synchronous = FULL")
          try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
          try Schema.migrate(db)
        }
        checkpoints = try Checkpoints(path: path)
        let files = try OpenFiles(ofDatabase: path)
        let bound = try pool.writeWithoutTransaction { try DataBound(bytesMax, folder: folder, on: $0) }
        bound.note(logBytes: try files.check(), blobBytes: 0)
        (self.files, self.bound) = (files, bound)
        pageCapture = try PageCapture(ofDatabase: path)
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  private static func refuseStranger(at path: String) throws {
    let connection = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: true))
    _ = try connection.read(Schema.refuseStranger)
    try connection.close()
  }

  static func configuration(isReadOnly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.label = "madang.store"
    configuration.readonly = isReadOnly
    configuration.foreignKeysEnabled = true
    // The writer competes only with a checkpoint that empties the log.
    configuration.busyMode = .timeout(10)
    return configuration
  }

  package func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    write(completion) { [checkpoints, taps, bound, webhookBytesMax] db in
      if !batch.onlyRemoves { try bound?.admit() }
      let outcomes = try BatchParts.withoutDamaged { parts in
        try db.transaction { try BatchWriting(batch, parts, taps, webhookBytesMax: webhookBytesMax, on: db).run() }
      }
      checkpoints?.noteWrites(bytes: batch.byteCount, rows: batch.rowCount)
      return outcomes
    }
  }

  package var lastAliveAt: Instant? {
    get throws(StoreFailure) {
      try read { try $0.row("SELECT at FROM segments ORDER BY number DESC LIMIT 1")?.value(0) }
    }
  }

  /// Runs `body` on the writer's queue, behind all earlier requests.
  func write<Value>(
    _ completion: @escaping Completion<Value>,
    _ body: @escaping @Sendable (Database) throws -> Value
  ) {
    guard !isClosed.load(ordering: .acquiring) else {
      return answers.async { completion(.failure(.other("the store is closed"))) }
    }
    pool.asyncWriteWithoutTransaction { [checkpoints, files, bound, blobs] db in
      do {
        checkpoints?.waitUntilWrittenBack()
        if let logBytes = try files?.check() { bound?.note(logBytes: logBytes, blobBytes: blobs.usedBytes) }
        let value = try body(db)
        try? bound?.measure(db)
        completion(.success(value))
      } catch {
        // A full log may have space again once it is written back; over the bound it must shrink.
        if StoreFailure(error) == .full { checkpoints?.request(emptying: bound?.isReached ?? false) }
        completion(.failure(StoreFailure(error)))
      }
    }
  }

  /// Runs `body` on a reader's queue, on one snapshot of the committed data.
  package func read<Value>(
    _ completion: @escaping Completion<Value>,
    _ body: @escaping @Sendable (Database) throws -> Value
  ) {
    do throws(StoreFailure) {
      guard !isClosed.load(ordering: .acquiring) else { throw .other("the store is closed") }
      // The check comes first: a new connection would open the file that has the name now, and keep it.
      try files?.check()
    } catch {
      return answers.async { completion(.failure(error)) }
    }
    pool.asyncRead { db in
      completion(Result { try body(db.get()) }.mapError { StoreFailure($0) })
    }
  }

  /// Runs `body` on one snapshot of the committed data, and waits for it.
  package func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try pool.read(body)
    } catch {
      throw StoreFailure(error)
    }
  }

  /// Counts the writes of a maintenance transaction.
  func noteWrites(bytes: Int, rows: Int) { checkpoints?.noteWrites(bytes: bytes, rows: rows) }

  package var usage: StoreUsage? { bound?.usage }

  /// Ends a maintenance: measures the disk again, because other files on it may have changed, and empties a log over
  /// the bound.
  func noteMaintenance() {
    bound?.measureDisk()
    if bound?.isReached == true { checkpoints?.request(emptying: true) }
  }

  func answerAsClosed(_ completions: [Completion<Void>]) {
    for completion in completions { answers.async { completion(.failure(.other("the store is closed"))) } }
  }

  package func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    answerAsClosed(erasures.close())
    // Waits for all commits in progress.
    pool.writeWithoutTransaction { _ in }
    checkpoints?.close()
    // The database file alone is then complete; without space for that, the log has the rest.
    try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    // The process's end closes what fails here; the log has all acknowledged commits.
    try? pool.close()
    lock?.release()
  }
}
