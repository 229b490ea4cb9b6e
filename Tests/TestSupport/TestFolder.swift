// A folder for one test, deleted with its last holder, with everything in it.
import Glibc

package final class TestFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/madang-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw TestFailure("no folder: \(String(cString: strerror(errno)))") }
    path = String(cString: made)
  }

  deinit {
    Self.remove(path)
  }

  /// Deletes a folder with everything in it.
  private static func remove(_ path: String) {
    for name in names(in: path) where unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  package var names: [String] { Self.names(in: path) }

  /// The names in any folder; none where it is not there.
  package static func names(of path: String) -> [String] { names(in: path) }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The content of a file; empty for a file that is not there.
  package func read(_ name: String) -> [UInt8] {
    let descriptor = open(file(name), O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw TestFailure("can't write \(name)") }
  }

  package func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }
}
