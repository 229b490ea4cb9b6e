// A temporary folder for one store.
import Game
import Glibc
import Store
import Testing

/// A folder that is deleted with its last holder.
final class TestFolder: Sendable {
  let path: String

  struct Failure: Error {
    let errno: Int32
  }

  init() throws {
    var template = Array("/tmp/madang-store-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(errno: errno) }
    path = String(cString: made)
  }

  deinit {
    for name in names { unlink(path + "/" + name) }
    rmdir(path)
  }

  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The complaints of the check, except those of rooms' journals, which most tests don't really play.
  var complaints: [String] {
    get throws { try SQLiteStore.check(folder: path).filter { !$0.hasPrefix("room ") } }
  }

  func read(_ name: String) -> [UInt8] {
    let descriptor = open(path + "/" + name, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
  }

  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }
}
