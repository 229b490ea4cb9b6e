// Whether the names of a store's files still lead to the files that it has open. A file outlives its name: SQLite would go on
// writing where nobody will ever look again, and what is answered then would not last. Immutable; asked on any thread.
//
// By stat alone: to open and close a file of SQLite's once more would give up the locks that it has on it.
import Glibc

/// A database that is open for writing, its log, and what its connections share.
struct OpenFiles: Sendable {
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t

    /// Of what a name leads to now; nil when there is nothing.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = status.st_dev
      inode = status.st_ino
    }
  }

  private let identities: [(path: String, identity: Identity)]

  /// Of the files as they have just been opened.
  init(ofDatabase path: String) throws(StoreFailure) {
    var identities: [(path: String, identity: Identity)] = []
    for name in ["", "-wal", "-shm"].map({ path + $0 }) {
      guard let identity = Identity(name) else { throw .gone(name) }
      identities.append((name, identity))
    }
    self.identities = identities
  }

  /// Throws `.gone` unless all names lead to the files that were opened. A few microseconds.
  func check() throws(StoreFailure) {
    for file in identities where Identity(file.path) != file.identity { throw .gone(file.path) }
  }
}
