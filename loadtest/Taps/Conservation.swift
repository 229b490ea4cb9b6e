// The sum of all taps: what the schools had before, what all bots were told has counted, by answers or welcomes, and what the schools have after.
//
// A value: each shard of bots fills its own, the command adds them up. It holds only where nobody else taps meanwhile.

package struct Conservation: Sendable {
  /// By school, when nobody had tapped yet.
  package private(set) var before: [String: Int64] = [:]
  package private(set) var acknowledged: [String: Int64] = [:]
  /// By school, when every batch was answered.
  package private(set) var after: [String: Int64] = [:]
  /// Schools of which two bots were told different counts where there is one.
  private var contradicted: Set<String> = []

  package init() {}

  /// A bot was told what a school has, before anybody tapped.
  package mutating func note(before count: Int64, of school: String) {
    if before.updateValue(count, forKey: school) ?? count != count { contradicted.insert(school) }
  }

  /// A bot was told that this has counted.
  package mutating func note(acknowledged count: Int64, of school: String) {
    acknowledged[school, default: 0] += count
  }

  /// A bot was told what a school has, when nobody taps any more.
  package mutating func note(after count: Int64, of school: String) {
    if after.updateValue(count, forKey: school) ?? count != count { contradicted.insert(school) }
  }

  package mutating func add(_ other: Conservation) {
    contradicted.formUnion(other.contradicted)
    for (school, count) in other.before { note(before: count, of: school) }
    for (school, count) in other.acknowledged { note(acknowledged: count, of: school) }
    for (school, count) in other.after { note(after: count, of: school) }
  }

  /// Schools that somebody had before, and nobody was told about after.
  package var unaudited: [String] {
    before.keys.filter { after[$0] == nil }.sorted()
  }

  package var acknowledgedCount: Int64 { acknowledged.values.reduce(0, +) }

  /// For each school, in order, nil if it has what it must have, or what it has instead. Where operators have changed counts
  /// meanwhile, what it must have is theirs to know.
  package func verdicts(isOperated: Bool = false) -> [(school: String, complaint: String?)] {
    Set(before.keys).union(acknowledged.keys).union(after.keys).sorted()
      .map { ($0, complaint(about: $0, isOperated: isOperated)) }
  }

  private func complaint(about school: String, isOperated: Bool) -> String? {
    guard let before = before[school] else { return "\(school): nobody was told what it had before" }
    guard let after = after[school] else { return "\(school): nobody was told what it has" }
    if contradicted.contains(school) { return "\(school): bots were told different counts" }
    let counted = acknowledged[school] ?? 0
    guard isOperated || after - before == counted else {
      return "\(school): \(before) before and \(counted) acknowledged, but \(after) after"
    }
    return nil
  }
}
