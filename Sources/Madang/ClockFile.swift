// The record of the machine's clock in a data folder: `madang.clock`, one line; there is no file when there is nothing
// to remember.
//
// Any thread and any process: a new file replaces the old one as a whole, so a reader finds one or the other.
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
        "\(path) is not a record of the clock; when the clock is right, madang accept-clock writes a new one"
      )
    }
    return mark
  }

  func write(_ mark: ClockMark?) throws(ClockRecordFault) {
    guard let mark else {
      guard unlink(path) == 0 || errno == ENOENT else { throw fault("can't remove") }
      return try syncFolder()
    }
    // The server and a command may write at once.
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

  /// Makes new and removed names of the folder durable.
  private func syncFolder() throws(ClockRecordFault) {
    let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw fault("can't sync the folder of") }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw fault("can't sync the folder of") }
  }

  /// The time by which things expire according to this record, for a clock that shows `now`.
  func expiryTime(at now: Instant) throws(ClockRecordFault) -> Instant {
    if case .suspect(let lastTrusted) = try read() { lastTrusted } else { now }
  }

  private func fault(_ what: String) -> ClockRecordFault {
    ClockRecordFault("\(what) \(path): \(String(cString: strerror(errno)))")
  }
}
