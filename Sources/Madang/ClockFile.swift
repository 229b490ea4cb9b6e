// Where a data folder remembers what is known of the machine's clock: `madang.clock`, one line, gone when there is nothing to
// remember.
//
// Any thread and any process: a new file takes the place of the old one whole, so whoever reads finds one or the other.
import Game
import Gateway
import Glibc
import Server

struct ClockFile: ClockRecord {
  private static let bytesMax = 256

  private let folder: String
  private var path: String { folder + "/madang.clock" }

  init(folder: String) {
    self.folder = folder
  }

  func read() throws(ClockRecordFault) -> ClockMark? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw fault("can't read") }
      return nil
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.bytesMax)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw fault("can't read") }
    guard let mark = ClockMark(String(decoding: bytes[..<count], as: UTF8.self)) else {
      throw ClockRecordFault(
        "\(path) does not say what is known of the clock; when the clock is right, madang accept-clock writes a new one"
      )
    }
    return mark
  }

  func write(_ mark: ClockMark?) throws(ClockRecordFault) {
    guard let mark else {
      guard unlink(path) == 0 || errno == ENOENT else { throw fault("can't remove") }
      return try syncFolder()
    }
    // Two may write at once, the server and a command.
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw fault("can't write") }
    let bytes = Array("\(mark)\n".utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(draft, path) == 0 else {
      let failure = fault("can't write")
      unlink(draft)
      throw failure
    }
    try syncFolder()
  }

  /// Makes the folder's new and removed names last.
  private func syncFolder() throws(ClockRecordFault) {
    let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw fault("can't sync the folder of") }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw fault("can't sync the folder of") }
  }

  /// By which time things expire as far as this says, by a clock that stands at `now`.
  func expiryTime(at now: Instant) throws(ClockRecordFault) -> Instant {
    if case .suspect(let lastTrusted) = try read() { lastTrusted } else { now }
  }

  private func fault(_ what: String) -> ClockRecordFault {
    ClockRecordFault("\(what) \(path): \(String(cString: strerror(errno)))")
  }
}
