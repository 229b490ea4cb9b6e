// Checks that every target's files lead one way, and proves on made-up sources that cycles are found.

import Testing

@Suite("Files lead one way")
struct DependencyCycleTests {
  @Test("No target, tests included, has a cycle beyond two files")
  func targetsHaveNoCycles() throws {
    let found = DependencyCycles.found(in: try SourceTree.targets.get() + SourceTree.tests.get())
    #expect(found.isEmpty, "\(found.map { $0.joined(separator: ", ") }.joined(separator: "\n"))")
  }

  private func cycles(_ sources: [String: String], in folder: String = "Sources/Net") -> [[String]] {
    let files = sources.sorted { $0.key < $1.key }.map {
      SourceFile(path: "\(folder)/\($0.key).swift", text: $0.value)
    }
    return DependencyCycles.found(in: files)
  }

  @Test("Three files that lead to each other are a cycle; a fourth that is led to is not in it")
  func cycleIsFound() {
    let found = cycles([
      "A": "struct Anchor { var buoy: Buoy }",
      "B": "final class Buoy { func read(_ chart: Chart) -> Depth { chart.depth } }",
      "C": "package enum Chart { static func make() -> Anchor? { nil } }",
      "D": "struct Depth {}",
    ])
    #expect(found == [["Sources/Net/A.swift", "Sources/Net/B.swift", "Sources/Net/C.swift"]])
  }

  @Test("The files of each target below Tests are looked at by themselves")
  func testsHaveTargets() {
    let sources = [
      "NetTests/A": "struct Anchor { var buoy: Buoy }",
      "NetTests/B": "struct Buoy { var chart: Chart }",
    ]
    let chart = "struct Chart { var anchor: Anchor }"
    #expect(cycles(sources.merging(["NetTests/C": chart]) { $1 }, in: "Tests").count == 1)
    #expect(cycles(sources.merging(["GameTests/C": chart]) { $1 }, in: "Tests").isEmpty)
  }

  @Test("A free function leads to its file")
  func functionLeads() {
    let found = cycles([
      "A": "func read() {\n  chart()\n}", "B": "struct Buoy {\n  let a = read\n}", "C": "func chart(_: Buoy) {}",
    ])
    #expect(found.count == 1)
  }

  @Test(
    "These are no cycles: two files, a mention in a comment, a name declared twice, and a name declared inside braces",
    arguments: [
      ["A": "struct Anchor { var buoy: Buoy }", "B": "struct Buoy { var anchor: [Anchor] }"],
      [
        "A": "struct Anchor { var buoy: Buoy }", "B": "struct Buoy { var chart: Chart }",
        "C": "struct Chart {} // Anchor",
      ],
      [
        "A": "struct Anchor { var buoy: Buoy }", "B": "struct Buoy { var chart: Chart }",
        "C": "struct Chart { var a: Anchor }", "D": "private struct Anchor {}",
      ],
      [
        "A": "struct Anchor {\n  struct Chain {}\n  var buoy: Buoy\n}", "B": "struct Buoy { var chart: Chart }",
        "C": "struct Chart { var a: Chain }",
      ],
    ]
  )
  func otherwiseNone(sources: [String: String]) {
    #expect(cycles(sources).isEmpty)
  }
}
