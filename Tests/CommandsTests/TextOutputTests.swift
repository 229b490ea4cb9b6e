// The files that commands write piece by piece.
import Commands
import Foundation
import Glibc
import Testing

@Suite("A text that a command writes piece by piece")
struct TextOutputTests {
  /// A folder that is deleted when it is not used any more.
  private final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/madang-output-XXXXXX".utf8CString)
      path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: path) }
    }
  }

  private func content(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  @Test("A file gets its name when it is whole, and nothing else is left", arguments: [0, 1, 9_000])
  func whole(count: Int) throws {
    let folder = try Folder()
    let path = "\(folder.path)/game.json"
    let lines = (0..<count).map { "line \($0), 마당\n" }
    let output = try TextOutput(path)
    for line in lines { try output.write(line) }
    #expect(content(path) == nil)
    try output.finish()
    #expect(content(path) == lines.joined())
    #expect(try folder.names == ["game.json"])
  }

  @Test("A text that is not finished leaves no file")
  func unfinished() throws {
    let folder = try Folder()
    do {
      let output = try TextOutput("\(folder.path)/game.json")
      try output.write(String(repeating: "half of it", count: 20_000))
    }
    #expect(try folder.names == [])
  }

  @Test("A file that is there is not replaced, and a folder that is not there is said")
  func refused() throws {
    let folder = try Folder()
    let path = "\(folder.path)/game.json"
    try "mine".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(throws: (any Error).self) { try TextOutput(path) }
    #expect(content(path) == "mine")
    #expect(throws: (any Error).self) { try TextOutput("\(folder.path)/none/game.json") }
  }

  @Test("A link in the way is not followed")
  func link() throws {
    let folder = try Folder()
    #expect(symlink("\(folder.path)/elsewhere", "\(folder.path)/game.json.part") == 0)
    #expect(throws: (any Error).self) { try TextOutput("\(folder.path)/game.json") }
    #expect(try folder.names == ["game.json.part"])
  }
}
