// The schools of a run: few, so that many players tap for one and ranks change often. Some editions of their list omit
// some.
import Game
import SeededRandom

struct SimulatedSchools {
  let all: [School]
  /// The schools of the newest edition.
  private(set) var open: [School]
  /// The schools that some edition has omitted.
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

  /// Makes another edition with at least one school.
  mutating func edit(_ random: inout SplitMix64) {
    open = all.filter { _ in random.chance(80) }
    if open.isEmpty { open = all }
    everClosed.formUnion(all.filter { !open.contains($0) }.map(\.id.description))
  }

  /// Whether the school may have been closed. True even if it is open by now: an answer may have been under way for
  /// long.
  func mayBeClosed(_ school: String) -> Bool { everClosed.contains(school) }
}
