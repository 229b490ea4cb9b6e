// The sum of all taps: the schools' counts before, the acknowledged ones (by answers or welcomes), and the schools'
// counts after.
//
// A value: each shard of bots fills its own, the command adds them up. It holds only where no other client taps
// meanwhile.

package struct Conservation: Sendable {
  /// The counts by school before the first tap.
  package private(set) var before: [String: Int64] = [:]
  package private(set) var acknowledged: [String: Int64] = [:]
  /// The counts by school after every batch was answered.
  package private(set) var after: [String: Int64] = [:]
  /// Schools with two different counts in the bots' messages where only one is possible.
  private var contradicted: Set<String> = []

  package init() {}

  /// Notes a school's count from before the first tap.
  package mutating func note(before count: Int64, of school: String) {
    if before.updateValue(count, forKey: school) ?? count != count { contradicted.insert(school) }
  }

  /// Notes taps that the server has acknowledged.
  package mutating func note(acknowledged count: Int64, of school: String) {
    acknowledged[school, default: 0] += count
  }

  /// Notes a school's count from after the last tap.
  package mutating func note(after count: Int64, of school: String) {
    if after.updateValue(count, forKey: school) ?? count != count { contradicted.insert(school) }
  }

  package mutating func add(_ other: Conservation) {
    contradicted.formUnion(other.contradicted)
    for (school, count) in other.before { note(before: count, of: school) }
    for (school, count) in other.acknowledged { note(acknowledged: count, of: school) }
    for (school, count) in other.after { note(after: count, of: school) }
  }

  /// Schools with a count from before and none from after.
  package var unaudited: [String] {
    before.keys.filter { after[$0] == nil }.sorted()
  }

  package var acknowledgedCount: Int64 { acknowledged.values.reduce(0, +) }

  /// The result for each school, in order: nil for the right count, else the wrong one. Where operators have changed
  /// counts meanwhile, only they know the right one.
  package func verdicts(isOperated: Bool = false) -> [(school: String, complaint: String?)] {
    Set(before.keys).union(acknowledged.keys).union(after.keys).sorted()
      .map { ($0, complaint(about: $0, isOperated: isOperated)) }
  }

  private func complaint(about school: String, isOperated: Bool) -> String? {
    guard let before = before[school] else { return "\(school): its count before is not known" }
    guard let after = after[school] else { return "\(school): its count is not known" }
    if contradicted.contains(school) { return "\(school): bots received different counts" }
    let counted = acknowledged[school] ?? 0
    guard isOperated || after - before == counted else {
      return "\(school): \(before) before and \(counted) acknowledged, but \(after) after"
    }
    return nil
  }
}
