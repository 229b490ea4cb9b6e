// The values that something may have had, as the players' requests and answers tell it. A value of a referee.

/// The possible values of one thing: more than one while a request to change it has no answer.
struct History<Value: Equatable> {
  private struct Entry {
    let value: Value
    /// The time until which it may have been so; nil while it may be.
    var untilMs: Int64?
  }

  private var entries: [Entry]

  init(_ value: Value) {
    entries = [Entry(value: value)]
  }

  /// The values that it may have now.
  var current: [Value] { entries.filter { $0.untilMs == nil }.map(\.value) }

  /// The only value that it can have now; nil where there are more.
  var sure: Value? { current.count == 1 ? current.first : nil }

  /// Whether it has always had one value.
  var isUnchanged: Bool { entries.count == 1 }

  /// The values that it may have had at a time or later.
  func possible(sinceMs time: Int64) -> [Value] {
    entries.filter { $0.untilMs.map { $0 >= time } ?? true }.map(\.value)
  }

  /// A request may change it. Returns whether the value is a new one, which `drop` takes back.
  mutating func mayBecome(_ value: Value) -> Bool {
    guard !current.contains(value) else { return false }
    entries.append(Entry(value: value))
    return true
  }

  /// The request had no effect.
  mutating func drop(_ value: Value) {
    entries.removeAll { $0.untilMs == nil && $0.value == value }
  }

  /// It has this value; false where that is impossible.
  mutating func settle(_ value: Value, atMs now: Int64) -> Bool {
    let isPossible = current.contains(value)
    for index in entries.indices where entries[index].untilMs == nil && entries[index].value != value {
      entries[index].untilMs = now
    }
    if !isPossible { entries.append(Entry(value: value)) }
    return isPossible
  }
}
