// Checks every target against its row in the table of imports, and proves on made-up sources that the check finds
// breaches. Reads the sources as text; builds nothing.

import Testing

@Suite("Imports run one way")
struct ImportTests {
  @Test("Every target imports only what its row in the table allows")
  func targetsKeepToTheTable() throws {
    let files = try SourceTree.targets.get()
    try #require(
      files.contains { $0.path == "Protocol/Generated/madang.pb.swift" },
      "these are not the package's sources"
    )
    let complaints = files.flatMap(ImportTable.complaints(about:))
    #expect(complaints.isEmpty, "\(complaints.map(\.description).joined(separator: "\n"))")
  }

  @Test("The table allows no module that its target does not import")
  func nothingIsAllowedForNothing() throws {
    let unused = ImportTable.unused(by: try SourceTree.targets.get())
    #expect(unused.isEmpty, "\(unused.joined(separator: "\n"))")
  }

  @Test("An allowed module that its target does not import is reported")
  func unusedIsReported() {
    let file = SourceFile(path: "Sources/WebSocket/Frame.swift", text: "import CZlib\n")
    let reported = ImportTable.unused(by: [file])
    #expect(reported.contains("WebSocket imports Cryptography nowhere"))
    #expect(!reported.contains("WebSocket imports CZlib nowhere"))
  }

  @Test("A forbidden import is reported with its file, its line, its module and the allowed modules")
  func forbiddenImportIsReported() {
    let file = SourceFile(
      path: "Sources/WebSocket/Frame.swift",
      text: "// A frame.\n\nimport Cryptography\nimport Net\n"
    )
    let reported = ImportTable.complaints(about: file).map(\.description)
    #expect(
      reported == ["Sources/WebSocket/Frame.swift:4: WebSocket imports Net, but may import only Cryptography, CZlib"]
    )
  }

  @Test(
    "Every form of an import counts",
    arguments: [
      "import Foundation",
      "package import Foundation",
      "@preconcurrency import Foundation",
      "@preconcurrency public import Foundation",
      "@_spi(Testing) import Foundation",
      "@preconcurrency\nimport Foundation",
      "import struct Foundation.Date",
      "private import func Foundation.sqrt",
      "import Foundation.NSDate",
      "import DequeModule; import Foundation",
      "  import Foundation  // only for dates",
      "/* only for dates */ import Foundation",
      "#if canImport(Foundation)\n  import Foundation\n#endif",
      "let quote = \"\\(\"\"\"\n  //\n\"\"\")\" // \"\nimport Foundation",
      "let raw = #\"\\\"#\nimport Foundation",
    ]
  )
  func everyFormCounts(source: String) {
    let complaints = ImportTable.complaints(about: SourceFile(path: "Sources/Game/Room.swift", text: source))
    #expect(complaints.count == 1)
    #expect(complaints.first?.explanation.hasPrefix("Game imports Foundation, ") == true)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      complaints.first?.line
        == lines.lastIndex { $0.contains("import Foundation") || $0.contains("Foundation.") }.map { $0 + 1 }
    )
  }

  @Test(
    "A comment or a string about an import is no import",
    arguments: [
      "// import Foundation",
      "/* import Foundation\n/* nested */\nimport Foundation\n*/",
      "let text = \"import Foundation\"",
      "let text = \"\"\"\n  import Foundation\n  \\(name)\n  import Foundation\n  \"\"\"",
      "let text = #\"\"\"\n  \"\"\"\n  import Foundation\n  \"\"\"#",
      "let text = \"\\(names.map { \"(\\($0))\" })\" // import Foundation",
      "#if canImport(Foundation)\n#endif",
      "func important() {}\nlet imported = 1",
    ]
  )
  func mentionIsNoImport(source: String) {
    #expect(SourceFile(path: "Sources/Game/Room.swift", text: source).imports.isEmpty)
  }

  @Test("The table is per target: one target's allowance is not another's")
  func tableGoesByTarget() {
    func complaints(_ path: String) -> Int {
      ImportTable.complaints(about: SourceFile(path: path, text: "import Dispatch\nimport Glibc\n")).count
    }
    #expect(complaints("Sources/Net/Shard.swift") == 0)
    #expect(complaints("Sources/Server/Rooms/RoomTicks.swift") == 0)
    #expect(complaints("loadtest/Walk.swift") == 1)
    #expect(complaints("Sources/Game/Room.swift") == 2)
    #expect(complaints("Protocol/RoomCode.swift") == 2)
  }

  @Test("A target without a row is reported, whatever it imports")
  func unknownTargetIsReported() {
    let reported = ImportTable.complaints(about: SourceFile(path: "Sources/Extra/Extra.swift", text: "")).map(
      \.description
    )
    #expect(reported == ["Sources/Extra/Extra.swift:1: target Extra has no row in the table of imports"])
  }
}
