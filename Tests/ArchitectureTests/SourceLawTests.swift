// Checks every hand-written file, tests included, against the laws of the source, and proves on made-up sources that
// each law finds its breach and nothing else.

import Testing

@Suite("Every source file keeps the laws of the source")
struct SourceLawTests {
  @Test("The project's own files keep the laws")
  func filesKeepTheLaws() throws {
    let files = try SourceTree.targets.get() + SourceTree.tests.get()
    try #require(files.contains { $0.path == "Tests/ArchitectureTests/SourceLawTests.swift" })
    let complaints = files.flatMap(SourceLaws.complaints(about:))
    #expect(complaints.isEmpty, "\(complaints.map(\.description).joined(separator: "\n"))")
  }

  struct Breach: CustomTestStringConvertible {
    let path: String
    let text: String
    let complaint: String

    init(in path: String = "Sources/Net/Shard.swift", _ text: String, complaint: String) {
      self.path = path
      self.text = text
      self.complaint = complaint
    }

    var testDescription: String { complaint }
  }

  @Test(
    "A breach is reported with its line",
    arguments: [
      Breach("import Dispatch\n", complaint: "1: a file opens with a comment"),
      Breach("", complaint: "1: a file opens with a comment"),
      Breach("// \(String(repeating: "a", count: 118))\n", complaint: "1: a comment of 121 columns"),
      Breach(in: "Sources/Net/ShardManager.swift", "// Shards.\n", complaint: "1: a file named Manager"),
      Breach(in: "Tests/NetTests/TestHelpers.swift", "// Shards.\n", complaint: "1: a file named Helpers"),
      Breach("// Shards.\nfinal class SocketUtils {}\n", complaint: "2: SocketUtils is named Utils"),
      Breach("// Shards.\npackage\nprotocol ShardBase {}\n", complaint: "3: ShardBase is named Base"),
      Breach(in: "Tests/NetTests/ShardTests.swift", "// Shards.\n@testable import Net\n", complaint: "2: @testable"),
      Breach("// Shards.\nlet a = (try! b())\n", complaint: "2: try!"),
      Breach("// Shards.\nlet state = Mutex(0)\n", complaint: "2: Mutex has no place in the order"),
      Breach("// Shards.\nlet a = \"\\(try! b())\"\n", complaint: "2: try!"),
      Breach("// Shards.\nfinal class Shard: @unchecked Sendable {}\n", complaint: "2: @unchecked Sendable"),
      Breach("// Shards.\nextension A: @unchecked @retroactive Sendable {}\n", complaint: "2: @unchecked Sendable"),
      Breach(
        in: "Sources/Game/Geodesy.swift",
        "// Ways.\nvar a: Double\n",
        complaint: "2: Double in the rules of play"
      ),
      Breach(in: "Sources/Game/Geodesy.swift", "// Ways.\n\nlet a = 0.5\n", complaint: "3: a floating-point number"),
      Breach(in: "Sources/Game/Geodesy.swift", "// Ways.\nlet a = -1e7\n", complaint: "2: a floating-point number"),
    ]
  )
  func breachIsReported(breach: Breach) {
    let complaints = SourceLaws.complaints(about: SourceFile(path: breach.path, text: breach.text))
    #expect(complaints.count == 1, "\(complaints)")
    #expect(complaints.first?.description.hasPrefix("\(breach.path):\(breach.complaint)") == true, "\(complaints)")
  }

  @Test("A file of 399 lines is not too long, one of 400 is")
  func lengthEndsAt399() {
    func complaints(lines: Int) -> [String] {
      let file = SourceFile(path: "Sources/Net/Shard.swift", text: String(repeating: "// A line.\n", count: lines))
      return SourceLaws.complaints(about: file).map(\.description)
    }
    #expect(complaints(lines: 399) == [])
    #expect(complaints(lines: 400) == ["Sources/Net/Shard.swift:400: 400 lines; a file has at most 399"])
  }

  @Test(
    "Text that only resembles a breach is no breach",
    arguments: [
      ("Sources/Net/Shard.swift", "// Never try! and no @testable import.\nlet a = \"try! @unchecked Sendable\"\n"),
      ("Sources/Net/Shard.swift", "// Shards.\nlet seconds: Double = 0.5\nlet manager = FileManager.default\n"),
      ("Sources/Net/Shard.swift", "// Shards.\nlet law = #/try! \"/#\nlet text = \"try!\"\n"),
      ("Sources/Net/Shard.swift", "// Shards.\nlet isClosed = try !isOpen()\n"),
      ("Sources/Net/Shard.swift", "// A Mutex.\nlet state = OrderedMutex(.leaf, 0)\n"),
      ("Tests/NetTests/Shards.swift", "// Shards.\nlet state = Mutex(0)\n"),
      ("Sources/Store/Database.swift", "// Tables.\nstruct DatabaseQueue {}\nstruct Base64 {}\n"),
      (
        "Sources/Game/Geodesy.swift",
        "// 0.5 as a Double is no integer.\nlet a = pair.0.1 + 0xE1 + 1_000\nlet b = 0..<5\n"
      ),
      ("Protocol/Generated/madang.pb.swift", "final class Storage: @unchecked Sendable {}\n"),
    ]
  )
  func resemblanceIsNone(path: String, text: String) {
    let complaints = SourceLaws.complaints(about: SourceFile(path: path, text: text))
    #expect(complaints.isEmpty, "\(complaints)")
  }
}
