// Checks the features of the server against the table of their uses, and proves on made-up sources that the check finds
// breaches.

import Testing

@Suite("Features use each other one way")
struct FeatureTests {
  @Test("Every feature uses only what its row in the table allows")
  func featuresKeepToTheTable() throws {
    let refused = FeatureTable.uses(in: try SourceTree.targets.get()).filter { !$0.isAllowed }
    #expect(refused.isEmpty, "\(refused.map(\.description).joined(separator: "\n"))")
  }

  @Test("The table allows no use that does not occur")
  func nothingIsAllowedForNothing() throws {
    let uses = FeatureTable.uses(in: try SourceTree.targets.get())
    for (user, allowed) in FeatureTable.allowed {
      #expect(allowed == Set(uses.filter { $0.user == user }.map(\.used)), "the row of \(user)")
    }
  }

  @Test("No feature uses itself by way of others")
  func tableHasNoCycle() {
    var ordered: Set<String> = []
    while let next = FeatureTable.allowed.first(where: { !ordered.contains($0.key) && $0.value.isSubset(of: ordered) })
    {
      ordered.insert(next.key)
    }
    #expect(ordered == Set(FeatureTable.allowed.keys))
  }

  @Test("A forbidden use is reported with both files; files beside the folders are free")
  func forbiddenUseIsReported() {
    let uses = FeatureTable.uses(in: [
      SourceFile(path: "Sources/Server/Context.swift", text: "struct Context { var tally: Tally; var rooms: Rooms }"),
      SourceFile(path: "Sources/Server/Rooms/Rooms.swift", text: "final class Rooms { let context: Context }"),
      SourceFile(path: "Sources/Server/Taps/Tally.swift", text: "struct Tally { var rooms: Rooms }"),
    ])
    #expect(uses.map(\.isAllowed) == [false])
    #expect(
      uses.map(\.description) == [
        "Sources/Server/Taps/Tally.swift uses Sources/Server/Rooms/Rooms.swift, but Taps may not use Rooms"
      ]
    )
  }
}
