// A file beside the data that its owner alone may read, replaced as a whole and durably.
//
// Any thread; a reader finds the old file or the new one. One process writes it: the one that holds the store.
import Glibc

package struct PrivateFile: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The text; nil where there is no file.
  package func read() throws(OperatorFileFault) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw fault("can't read") }
      return nil
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1_024)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw fault("can't read") }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw OperatorFileFault("\(path) is not UTF-8") }
    return text
  }

  /// Replaces the file; it is on the disk when this returns.
  package func write(_ text: String) throws(OperatorFileFault) {
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw fault("can't write") }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      bytes = bytes.dropFirst(count)
    }
    let isWritten = bytes.isEmpty && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(draft, path) == 0 else {
      let failure = fault("can't write")
      unlink(draft)
      throw failure
    }
    try syncFolder()
  }

  /// Makes the new name durable.
  private func syncFolder() throws(OperatorFileFault) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw fault("can't sync the folder of") }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw fault("can't sync the folder of") }
  }

  private func fault(_ what: String) -> OperatorFileFault {
    OperatorFileFault("\(what) \(path): \(String(cString: strerror(errno)))")
  }
}
