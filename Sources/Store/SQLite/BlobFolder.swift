// The blobs of a store: files in its folder. One queue puts and deletes them, so that no blob is deleted while a medium
// begins to name it: who puts blobs holds their digest until the commit that names it is answered.
// Decisions: 118 (docs/decisions).
import Dispatch
import GRDB
import Game
import Glibc
import Locks
import Synchronization

/// The blobs beside an SQLite database.
package final class BlobFolder: Sendable {
  /// Changed on the queue only.
  private struct State {
    /// The holds of each digest.
    var holds: [MediaDigest: Int] = [:]
    /// Blobs that a crash has left behind are gone.
    var isSwept = false
    /// Called with each blob that is new.
    var watcher: (@Sendable (BlobName) -> Void)?
  }

  private static let digestsAtOnce = 100

  let files: BlobFiles
  private let pool: DatabasePool
  private let queue = DispatchQueue(label: "madang.store.blobs", qos: .utility)
  /// Reads wait for no fsync.
  private let reading = DispatchQueue(label: "madang.store.blobs.reading")
  private let state = OrderedMutex(.leaf, State())
  private let used = Atomic<Int>(0)

  init(folder: String, _ pool: DatabasePool) {
    files = BlobFiles(in: folder)
    self.pool = pool
  }

  /// The bytes of all blobs, as far as they have been counted since the start.
  var usedBytes: Int { used.load(ordering: .relaxed) }

  /// The bytes of a blob; nil where it is not there. Blocks.
  package func bytes(of name: BlobName) throws(StoreFailure) -> [UInt8]? { try files.bytes(of: name) }

  /// The blobs whose digests begin with two hexadecimal digits. Blocks.
  package func names(withPrefix prefix: String) throws(StoreFailure) -> [BlobName] {
    try files.names(withPrefix: prefix)
  }

  /// Calls `watcher` with each blob that is put from now on, before a medium names it. It must not block.
  package func watch(_ watcher: @escaping @Sendable (BlobName) -> Void) {
    state.withLock { $0.watcher = watcher }
  }

  func put(_ digest: MediaDigest, _ files: [MediaSize: String], _ completion: @escaping Completion<Void>) {
    queue.async { [self] in
      let watcher = state.withLock { state in
        state.holds[digest, default: 0] += 1
        return state.watcher
      }
      completion(
        Result { () throws(StoreFailure) in
          for (size, file) in files.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            used.add(try self.files.take(file, as: BlobName(digest, size)), ordering: .relaxed)
          }
          try self.files.syncNames(of: digest)
          for size in files.keys { watcher?(BlobName(digest, size)) }
        }
      )
    }
  }

  func release(_ digest: MediaDigest) {
    queue.async { [self] in
      state.withLock { state in
        let holds = (state.holds[digest] ?? 1) - 1
        state.holds[digest] = holds > 0 ? holds : nil
      }
      try? removeUnlessNamed(digest)
    }
  }

  func open(_ name: BlobName, _ completion: @escaping Completion<(any OpenBlob)?>) {
    reading.async { [self] in
      let descriptor = Glibc.open(files.path(of: name), O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        return completion(errno == ENOENT ? .success(nil) : .failure(.ofErrno(errno, "opening a blob")))
      }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        Glibc.close(descriptor)
        return completion(.failure(.ofErrno(errno, "looking at a blob")))
      }
      completion(.success(BlobFile(descriptor, byteCount: Int(status.st_size), on: reading)))
    }
  }

  /// Deletes the blobs of digests that rows no longer name; at the first call of all that no row names. Then hands over
  /// the failure. `forget` writes that these digests are done.
  func sweep(
    forget: @escaping @Sendable ([MediaDigest], @escaping Completion<Void>) -> Void,
    _ completion: @escaping @Sendable (StoreFailure?) -> Void
  ) {
    queue.async { [self] in
      do {
        if !state.withLock({ $0.isSwept }) {
          try sweepAll()
          state.withLock { $0.isSwept = true }
        }
        let dropped = try pool.read { db in
          try db.rows("SELECT digest FROM dropped_blobs LIMIT ?", Self.digestsAtOnce).map { try $0.digest(0) }
        }
        for digest in dropped { try removeUnlessNamed(digest) }
        let done = dropped.filter { !isHeld($0) }
        guard !done.isEmpty else { return completion(nil) }
        forget(done) { [self] result in
          switch result {
          case .success: sweep(forget: forget, completion)
          case .failure(let failure): completion(failure)
          }
        }
      } catch {
        completion(StoreFailure(error))
      }
    }
  }

  /// Counts all blobs, and deletes those that no row names.
  private func sweepAll() throws {
    let names = try files.names()
    var bytes = 0
    for digest in Set(names.map(\.digest)) { try removeUnlessNamed(digest) }
    for name in names { bytes += files.byteCount(of: name) ?? 0 }
    used.store(bytes, ordering: .relaxed)
  }

  private func isHeld(_ digest: MediaDigest) -> Bool { state.withLock { $0.holds[digest] != nil } }

  private func removeUnlessNamed(_ digest: MediaDigest) throws {
    guard !isHeld(digest), try !pool.read({ try $0.names(digest) }) else { return }
    used.subtract(files.remove(digest), ordering: .relaxed)
  }
}

/// An open file of a blob.
private final class BlobFile: OpenBlob {
  let byteCount: Int
  private let descriptor: Int32
  private let queue: DispatchQueue

  init(_ descriptor: Int32, byteCount: Int, on queue: DispatchQueue) {
    (self.descriptor, self.byteCount, self.queue) = (descriptor, byteCount, queue)
  }

  deinit { Glibc.close(descriptor) }

  func read(_ range: Range<Int>, _ completion: @escaping Completion<[UInt8]>) {
    queue.async { [self] in
      let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(range.lowerBound)))
      }
      completion(bytes.count == range.count ? .success(bytes) : .failure(.io("a blob ends early")))
    }
  }
}
