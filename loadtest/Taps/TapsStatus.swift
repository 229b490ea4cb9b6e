// The progress of players with their last order.
//
// A value: each shard of bots counts by itself, the command adds them up.

struct TapsStatus: Sendable {
  /// Players that have had a session since the server was lost last.
  private(set) var back = 0
  /// Players that have done their order: ready to tap, with all answers, or with the totals.
  private(set) var done = 0
  /// The obstacles of the others, with the number of players for each.
  private(set) var hindrances: [String: Int] = [:]

  mutating func note(isBack: Bool, isDone: Bool, _ state: @autoclosure () -> String) {
    back += isBack ? 1 : 0
    done += isDone ? 1 : 0
    if !isDone { hindrances[state(), default: 0] += 1 }
  }

  mutating func add(_ other: Self) {
    back += other.back
    done += other.done
    hindrances.merge(other.hindrances, uniquingKeysWith: +)
  }

  /// A summary of the obstacles; nil when there are none.
  var complaint: String? {
    guard !hindrances.isEmpty else { return nil }
    let counts = hindrances.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return counts.joined(separator: ", ")
  }
}
