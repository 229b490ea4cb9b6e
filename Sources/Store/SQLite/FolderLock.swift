// One process per data folder: an advisory lock on a file that names the process. The kernel releases it when the
// process dies in any way. The file stays, because its removal would let two processes lock two files of one name. Any
// thread.
import Glibc
import Synchronization

/// The right to write a folder's store.
package final class FolderLock: Sendable {
  static let fileName = "madang.lock"

  private let folder: String

  /// The open file; -1 once released.
  private let descriptor: Atomic<Int32>

  /// The attempts at a lock that names a dead process: for 5 s, every 10 ms.
  private static let triesMax = 500

  /// Makes the folder if there is none, and locks it; `.locked` when another process has it.
  ///
  /// A process that is killed while it starts another one leaves the lock to that one until it has begun its program,
  /// for a moment. So a lock that names a dead process is asked for again, behind a `pause`.
  package init(folder: String, pause: () -> Void = { usleep(10_000) }) throws(StoreFailure) {
    if mkdir(folder, 0o700) != 0 && errno != EEXIST { throw .ofOpening(errno, "make the folder", folder) }
    let path = folder + "/" + Self.fileName
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .ofOpening(errno, "open", path) }
    self.folder = folder
    var tries = 1
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      let pid = Self.pid(in: descriptor)
      guard code == EWOULDBLOCK, tries < Self.triesMax, let pid, Self.isDead(pid) else {
        Glibc.close(descriptor)
        throw code == EWOULDBLOCK ? .locked(pid: pid) : .ofErrno(code, "locking \(path)")
      }
      tries += 1
      pause()
    }
    self.descriptor = Atomic(descriptor)
    // Only the lock counts; a full disk must not prevent a start for the sake of a message.
    var text = "\(getpid())\n"
    if ftruncate(descriptor, 0) == 0 {
      text.withUTF8 { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }

  deinit {
    release()
  }

  /// Ends the right to write. Files that root has written in another user's folder are that user's from then on.
  package func release() {
    let descriptor = descriptor.exchange(-1, ordering: .relaxed)
    guard descriptor >= 0 else { return }
    FolderOwner.giveFiles(in: folder)
    Glibc.close(descriptor)
  }

  private static func isDead(_ pid: Int) -> Bool {
    guard let pid = pid_t(exactly: pid), pid > 0 else { return false }
    return kill(pid, 0) != 0 && errno == ESRCH
  }

  private static func pid(in descriptor: Int32) -> Int? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 20) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    return Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

extension StoreFailure {
  /// The failure for a folder that can't be used from the beginning. The caller is an operator, who must know which
  /// folder, and why.
  fileprivate static func ofOpening(_ code: Int32, _ what: String, _ path: String) -> StoreFailure {
    switch code {
    case ENOSPC, EDQUOT: .full
    case EACCES: .other(FolderPermission.complaint("can't \(what) \(path)", about: path))
    default: .other("can't \(what) \(path): \(String(cString: strerror(code)))")
    }
  }

  /// The failure for a system call's error.
  static func ofErrno(_ code: Int32, _ what: String) -> StoreFailure {
    switch code {
    case ENOSPC, EDQUOT: .full
    case EROFS, EACCES, EPERM: .readOnly
    default: .io("\(what): \(String(cString: strerror(code)))")
    }
  }
}
