// The referee of stories finds what it is there for: runs of the whole server with one rule broken on purpose.
import ServerSimulation
import Testing

@Suite("Stories, simulated")
struct StorySimulationTests {
  static let seeds: Range<UInt64> = 0..<400

  @Test(
    "A fault on purpose is found as what it is",
    arguments: [
      (.likesTwice, .countedOnce), (.forgetsLikes, .countedOnce), (.forgetsEdits, .postsKept),
      (.missesNews, .newsConverge),
    ] as [(BrokenOnPurpose, Rule)]
  )
  func found(fault: BrokenOnPurpose, expected: Rule) throws {
    var others: Set<Rule> = []
    for seed in Self.seeds {
      guard let rule = try Simulator.found(fault, seed: seed) else { continue }
      if rule == expected { return }
      others.insert(rule)
    }
    Issue.record("\(fault) was not found, but \(others)")
  }
}
