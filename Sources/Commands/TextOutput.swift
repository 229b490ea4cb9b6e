// The text that a command writes to a new file or prints, piece by piece: a long one is never in memory as a whole. A
// file gets its name when it is whole.
//
// Used by one command on one thread. It never replaces a file.
import ArgumentParser
import Glibc

package final class TextOutput {
  private static let pieceBytes = 65_536
  private static let unfinished = ".part"

  /// The file; nil for the standard output.
  private let path: String?
  private let descriptor: Int32
  private var piece: [UInt8] = []
  private var isFinished = false

  /// - Throws: `ValidationError` when something is there already, or nothing can be written there.
  package init(_ path: String?) throws {
    self.path = path
    guard let path else {
      descriptor = STDOUT_FILENO
      return
    }
    try NewFile.require(path)
    descriptor = open(path + Self.unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  deinit {
    guard let path, descriptor >= 0 else { return }
    close(descriptor)
    if !isFinished { unlink(path + Self.unfinished) }
  }

  package func write(_ text: String) throws {
    piece += text.utf8
    if piece.count >= Self.pieceBytes { try flush() }
  }

  /// Writes the rest, and gives the file its name.
  package func finish() throws {
    try flush()
    guard let path else { return }
    guard fsync(descriptor) == 0, rename(path + Self.unfinished, path) == 0 else { throw Self.failure(path) }
    isFinished = true
  }

  private func flush() throws {
    var written = 0
    while written < piece.count {
      let count = piece.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path ?? "the standard output") }
      written += count
    }
    piece.removeAll(keepingCapacity: true)
  }

  private static func failure(_ path: String) -> ValidationError {
    ValidationError("can't write \(path): \(String(cString: strerror(errno))).")
  }
}
