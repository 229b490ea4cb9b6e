// A file that a command reads as a whole. Anything else (a folder, a device, a pipe) is reported and never waited for.
import Glibc

package enum InputFile {
  /// The reason why a file can't be read, for the operator.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The whole contents of a file.
  package static func bytes(of path: String) throws(Failure) -> [UInt8] {
    // Otherwise the open of a pipe without a writer would block.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure() }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Failure(description: "it is a folder")
    default: throw Failure(description: "it is no regular file")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw Self.failure() }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  private static func failure() -> Failure {
    Failure(description: String(cString: strerror(errno)))
  }
}
