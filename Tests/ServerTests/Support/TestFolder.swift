// A folder for one test, deleted with it.
import Glibc
import TestSupport

final class TestFolder {
  let path: String
  private var names: Set<String> = []

  init() throws {
    var template = Array("/tmp/madang-web-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("no folder: \(String(cString: strerror(errno)))") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func write(_ text: String, to name: String) throws {
    guard let file = fopen("\(path)/\(name)", "w") else { throw TestFailure("can't write \(name)") }
    defer { fclose(file) }
    names.insert(name)
    guard fputs(text, file) >= 0 else { throw TestFailure("can't write \(name)") }
  }
}
