// The folder of pages and assets, read at the start and never again.
//
// A value that only names it. Subfolders are not read, and names that begin with a dot are skipped.
import Glibc

struct WebFolder: Sendable {
  let path: String

  /// The plain files, ordered by the bytes of their names.
  func names() throws(StartFailure) -> [String] {
    guard let folder = opendir(path) else { throw failure(path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        bytes.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), isPlainFile(name) else { continue }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func read(_ name: String) throws(StartFailure) -> [UInt8] {
    let path = "\(path)/\(name)"
    guard let file = fopen(path, "r") else { throw failure(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1_024)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard ferror(file) == 0 else { throw failure(path) }
    return bytes
  }

  func readText(_ name: String) throws(StartFailure) -> String {
    guard let text = String(validating: try read(name), as: UTF8.self) else {
      throw StartFailure(description: "\(path)/\(name) is not UTF-8")
    }
    return text
  }

  private func isPlainFile(_ name: String) -> Bool {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func failure(_ path: String) -> StartFailure {
    StartFailure(description: "can't read \(path): \(String(cString: strerror(errno)))")
  }
}
