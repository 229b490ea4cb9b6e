// Checks whether the paths of a store's files still lead to its open files. A file survives the removal of its name:
// SQLite would go on writing to a file that nobody finds again, and answered commits would not be durable. Immutable;
// used on any thread.
//
// Uses stat only: opening and closing a SQLite file once more would release the process's locks on it.
// Decisions: 048 (docs/decisions).
import Glibc

/// A database that is open for writing, its log, and the shared memory of its connections.
struct OpenFiles: Sendable {
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) {
      device = status.st_dev
      inode = status.st_ino
    }
  }

  /// The status of the file that a path leads to now; nil without one.
  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static let suffixes = ["", "-wal", "-shm"]
  private static let logIndex = 1

  private let identities: [(path: String, identity: Identity)]

  /// Takes the identities of the files as they have just been opened.
  init(ofDatabase path: String) throws(StoreFailure) {
    var identities: [(path: String, identity: Identity)] = []
    for name in Self.suffixes.map({ path + $0 }) {
      guard let status = Self.status(of: name) else { throw .gone(name) }
      identities.append((name, Identity(status)))
    }
    self.identities = identities
  }

  /// Throws `.gone` unless all paths lead to the opened files; returns the log's size in bytes. Takes a few
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
