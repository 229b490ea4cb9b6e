// Checks every type's size, and proves on made-up sources that declarations and extensions are counted together.

import Testing

@Suite("No type is too large to know")
struct TypeSizeTests {
  @Test("No type of a target, tests included, has more than 800 lines over all its extensions")
  func typesAreSmall() throws {
    let complaints = TypeSizes.complaints(about: try SourceTree.targets.get() + SourceTree.tests.get())
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  }

  private func type(_ declaration: String, lines: Int) -> String {
    "\(declaration) {\n" + String(repeating: "  let a = 0\n", count: lines - 2) + "}\n"
  }

  @Test("A type and its extensions in all files of a target are counted together, apart from those of another target")
  func extensionsCount() {
    let files = [
      SourceFile(path: "Sources/Net/Buoy.swift", text: type("package final class Buoy: Sendable", lines: 500)),
      SourceFile(path: "Sources/Net/BuoyLights.swift", text: "// Lights.\n" + type("extension Buoy", lines: 301)),
      SourceFile(path: "Sources/Game/Buoy.swift", text: type("struct Buoy", lines: 700) + "extension Buoy {}\n"),
      SourceFile(path: "Tests/NetTests/Buoy.swift", text: type("struct Buoy", lines: 600)),
      SourceFile(path: "Tests/NetTests/Lights/Buoy.swift", text: type("extension Buoy", lines: 100)),
    ]
    #expect(TypeSizes.lines(in: files) == ["Net/Buoy": 801, "Game/Buoy": 701, "Tests/NetTests/Buoy": 700])
    #expect(TypeSizes.complaints(about: files).count == 1)
  }

  @Test("A nested type counts towards its outer type; functions and comments count for none")
  func nestedTypesCount() {
    let text = """
      // struct Anchor {
      struct Chain {
        struct Link {
          let weight: Int
        }
      }

      func extend() {
        _ = 0
      }
      """
    let files = [SourceFile(path: "Sources/Net/Chain.swift", text: text)]
    #expect(TypeSizes.lines(in: files) == ["Net/Chain": 5])
  }
}
