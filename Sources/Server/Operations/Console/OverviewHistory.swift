// The overview of the last ten minutes: an operator whom an alarm woke sees how it came.
//
// A value of the operators' shard. Kept even without a viewer, without the shards' parts: some kilobytes a look.
import ConsoleProtocol

struct OverviewHistory {
  static let secondsBetween: Int64 = 10
  static let looksMax = 60
  /// Oldest first.
  private(set) var looks: [FeedOverview] = []

  mutating func add(_ look: FeedOverview) {
    if looks.count == Self.looksMax { looks.removeFirst() }
    looks.append(look)
  }
}
