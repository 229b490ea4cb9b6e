// Whether the names of a store's files still lead to the files that it has open. A file outlives its name: SQLite would
// go on writing where nobody will ever look again, and what is answered then would not last. Immutable; asked on any
// thread.
//
// By stat alone: to open and close a file of SQLite's once more would give up the locks that it has on it.
// Decisions: 048 (docs/decisions).
import Glibc

/// A database that is open for writing, its log, and what its connections share.
struct OpenFiles: Sendable {
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) {
      device = status.st_dev
      inode = status.st_ino
    }
  }

  /// Of what a name leads to now; nil when there is nothing.
  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static let suffixes = ["", "-wal", "-shm"]
  private static let logIndex = 1

  private let identities: [(path: String, identity: Identity)]

  /// Of the files as they have just been opened.
  init(ofDatabase path: String) throws(StoreFailure) {
    var identities: [(path: String, identity: Identity)] = []
    for name in Self.suffixes.map({ path + $0 }) {
      guard let status = Self.status(of: name) else { throw .gone(name) }
      identities.append((name, Identity(status)))
    }
    self.identities = identities
  }

  /// Throws `.gone` unless all names lead to the files that were opened; how large the log is, in bytes. A few
  /// microseconds.
  @discardableResult
  func check() throws(StoreFailure) -> Int {
    var logBytes = 0
    for (index, file) in identities.enumerated() {
      guard let status = Self.status(of: file.path), Identity(status) == file.identity else { throw .gone(file.path) }
      if index == Self.logIndex { logBytes = Int(status.st_size) }
    }
    return logBytes
  }
}
