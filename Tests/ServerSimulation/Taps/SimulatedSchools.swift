// The schools of a run: few, so that many tap for one and ranks change often. Some editions of their list lack some.
import Game
import SeededRandom

struct SimulatedSchools {
  let all: [School]
  /// Those of the newest edition.
  private(set) var open: [School]
  /// Editions so far have lacked these.
  private var everClosed: Set<String> = []

  init(count: Int) throws(SchoolFault) {
    var all: [School] = []
    for number in 1...count {
      guard let id = SchoolID("S\(number)") else { continue }
      all.append(try School(id: id, name: "학교 \(number)", level: .high, region: "경기도", address: ""))
    }
    self.all = all
    open = all
  }

  /// Another edition; at least one school is in it.
  mutating func edit(_ random: inout SplitMix64) {
    open = all.filter { _ in random.chance(80) }
    if open.isEmpty { open = all }
    everClosed.formUnion(all.filter { !open.contains($0) }.map(\.id.description))
  }

  /// Also if it is open by now: an answer may have been long under way.
  func mayBeClosed(_ school: String) -> Bool { everClosed.contains(school) }
}
