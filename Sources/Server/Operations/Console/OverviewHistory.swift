// The overview of the last ten minutes: an operator whom an alarm woke sees how it came.
//
// A value of the operators' shard. Kept even without a viewer, as JSON without the shards' parts: some two kilobytes a
// look.
import MadangProtocol

struct OverviewHistory {
  static let secondsBetween: Int64 = 10
  static let looksMax = 60
  /// Oldest first.
  private(set) var looks: [JSONText] = []

  mutating func add(_ survey: ServerSurvey) {
    if looks.count == Self.looksMax { looks.removeFirst() }
    looks.append(StatsText.json(of: survey, withShards: false))
  }
}
