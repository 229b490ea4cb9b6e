// The output file of a command: an existing one is never replaced.
import ArgumentParser
import Glibc

enum NewFile {
  /// Checks the path before any work is done.
  ///
  /// - Throws: `ValidationError` when something is there already, or nothing can be written there.
  static func require(_ path: String) throws {
    guard access(path, F_OK) != 0 else { throw ValidationError("\(path) is there already, and is not replaced.") }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else {
      throw ValidationError("can't write to the folder \(folder): \(String(cString: strerror(errno))).")
    }
  }
}
