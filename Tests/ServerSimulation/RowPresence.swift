// Whether the store has a row that players write and delete, as their requests and the answers to them tell it. A value
// of a referee.

enum RowPresence {
  /// The request to write it has no answer.
  case maybe
  /// It is there since some time, at the latest.
  case sure(sinceMs: Int64)
  /// It is there since some time; a request to delete it has no answer.
  case maybeDeleted(sinceMs: Int64)
  case deleted(atMs: Int64)

  var isSure: Bool { if case .sure = self { true } else { false } }

  /// Whether it has surely been there since a time.
  func isSure(sinceMs time: Int64) -> Bool { if case .sure(let since) = self { since <= time } else { false } }

  /// Whether it may be there at a time or later.
  func mayBeThere(sinceMs time: Int64) -> Bool {
    if case .deleted(let atMs) = self { atMs >= time } else { true }
  }

  /// An answer has told that it is there. `mayBeDeleted`: its player's account may be deleted meanwhile.
  mutating func settle(mayBeDeleted: Bool, atMs now: Int64) {
    let since: Int64
    switch self {
    case .sure(let sinceMs), .maybeDeleted(let sinceMs): since = sinceMs
    case .maybe, .deleted: since = now
    }
    self = mayBeDeleted ? .maybeDeleted(sinceMs: since) : .sure(sinceMs: since)
  }

  mutating func mayBeDeleted() { if case .sure(let since) = self { self = .maybeDeleted(sinceMs: since) } }

  /// A deletion had no effect.
  mutating func keep() { if case .maybeDeleted(let since) = self { self = .sure(sinceMs: since) } }

  mutating func delete(atMs now: Int64) {
    if case .deleted = self { return }
    self = .deleted(atMs: now)
  }
}
