// How many players have come as far as they were told to.
//
// A value: each shard of bots counts by itself, the command adds them up.

struct TapsStatus: Sendable {
  /// Have had a session since the server was lost last.
  private(set) var back = 0
  /// Are where they were told to get: ready to tap, with all answered, or told of the totals.
  private(set) var done = 0
  /// What keeps the others, and how many.
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

  /// Nil when nothing keeps anybody.
  var complaint: String? {
    guard !hindrances.isEmpty else { return nil }
    let counts = hindrances.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return counts.joined(separator: ", ")
  }
}
