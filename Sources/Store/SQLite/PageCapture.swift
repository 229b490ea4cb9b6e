// Reads the pages of each commit in the log, right behind the commit and before another write may begin the log anew,
// and hands them over. So a copy of the database misses no page, whatever checkpoints do, and nothing waits for the
// copy. On the writer's queue alone.
// Decisions: 153 (docs/decisions).
import GRDB
import GRDBSQLite
import Glibc

/// The capture of the commits of one store.
final class PageCapture: Sendable {
  /// The part of the log that has been read.
  private struct Position {
    let salts: ArraySlice<UInt8>
    let frameCount: Int
  }

  /// The most bytes that are read behind one commit.
  private static let bytesMax = 64 << 20

  /// The log, which has no locks that the closing of a descriptor would release.
  private let descriptor: Int32
  // On the writer's queue alone.
  private nonisolated(unsafe) var receiver: (any PageReceiver)?
  private nonisolated(unsafe) var position: Position?

  init(ofDatabase path: String) throws(StoreFailure) {
    descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .ofErrno(errno, "opening \(path)-wal") }
  }

  deinit { Glibc.close(descriptor) }

  /// Watches the commits of a connection, which ends before this object does.
  func watch(_ db: Database) {
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, frameCount in
        guard let context else { preconditionFailure("SQLite passes the capture") }
        Unmanaged<PageCapture>.fromOpaque(context).takeUnretainedValue().committed(frameCount: Int(frameCount))
        return SQLITE_OK
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Hands over the pages of all commits from the next one on, and with it those of earlier ones that are in the log.
  func begin(_ receiver: any PageReceiver) {
    self.receiver = receiver
    position = nil
  }

  private func committed(frameCount: Int) {
    guard let receiver else { return }
    do throws(StoreFailure) {
      receiver.take(try newPages(frameCount: frameCount))
    } catch {
      self.receiver = nil
      receiver.lose("\(error)")
    }
  }

  /// The frames up to the `frameCount`th that have not been read.
  private func newPages(frameCount: Int) throws(StoreFailure) -> CommittedPages {
    let header = try read(CommittedPages.logHeaderByteCount, at: 0)
    let (pageBytes, salts) = (Int(header.bigEndian(at: 8)), header[16..<24])
    // A log that has begun anew has other salts.
    let known = position.map { $0.salts == salts ? $0.frameCount : 0 } ?? 0
    let frameBytes = pageBytes + CommittedPages.frameHeaderByteCount
    guard known < frameCount, (frameCount - known) * frameBytes <= Self.bytesMax else {
      throw .other("\(frameCount - known) pages of the log are too many to be copied at once")
    }
    let frames = try read(
      (frameCount - known) * frameBytes,
      at: CommittedPages.logHeaderByteCount + known * frameBytes
    )
    guard let pages = CommittedPages(frames: frames, pageBytes: pageBytes, salts: salts) else {
      throw .corrupt("the log has other frames than those of its commits")
    }
    position = Position(salts: salts, frameCount: frameCount)
    return pages
  }

  private func read(_ byteCount: Int, at offset: Int) throws(StoreFailure) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, byteCount, off_t(offset)))
    }
    guard bytes.count == byteCount else { throw .io("the log ends early") }
    return bytes
  }
}

/// The commits of a store, for a copy of it elsewhere. Calls block.
package struct CommitCapture: Sendable {
  private let pool: DatabasePool
  private let capture: PageCapture?

  package init(of store: SQLiteStore) {
    (pool, capture) = (store.pool, store.pageCapture)
  }

  /// Hands `receiver` the pages of each commit, from a commit of its own on: first the pages of all commits that are in
  /// the log. An earlier capture ends. Returns when the first pages have come.
  ///
  /// Every page of the database is then in its file or has been handed over, since only pages of the log are missing
  /// in the file.
  package func begin(_ receiver: any PageReceiver) throws(StoreFailure) {
    guard let capture else { throw .readOnly }
    do {
      try pool.writeWithoutTransaction { db in
        guard db.sqliteConnection != nil else { throw StoreFailure.other("the store is closed") }
        capture.watch(db)
        capture.begin(receiver)
        // SQLite and this program make no other use of the number. Its change is a commit in any case.
        let number = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        try db.execute(sql: "PRAGMA user_version = \(number &+ 1)")
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  /// Waits until every commit that has begun is written, and its pages are handed over.
  package func settle() { pool.writeWithoutTransaction { _ in } }
}
