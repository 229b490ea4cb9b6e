// Tokens of connections that a turn works through: those with queued bytes, those that have ended, those with work.
//
// Owned by one shard and used on its queue. Nearly every turn finds nearly every list empty. A flag beside the array
// answers that with one load. The array itself is changed in place, so each look at it is a checked access.
// Decisions: 114 (docs/decisions).

final class TokenList {
  private var tokens: [UInt64] = []
  private(set) var isEmpty = true

  func append(_ token: UInt64) {
    tokens.append(token)
    isEmpty = false
  }

  /// Takes the newest token out.
  func popLast() -> UInt64? {
    guard !isEmpty else { return nil }
    let token = tokens.popLast()
    isEmpty = tokens.isEmpty
    return token
  }

  /// Takes all tokens out, the oldest first.
  func takeAll() -> [UInt64] {
    guard !isEmpty else { return [] }
    var taken: [UInt64] = []
    swap(&taken, &tokens)
    isEmpty = true
    return taken
  }

  /// Puts tokens back before those that have come since.
  func putBack(_ earlier: some Collection<UInt64>) {
    tokens.insert(contentsOf: earlier, at: 0)
    isEmpty = tokens.isEmpty
  }

  /// Takes all tokens out and calls `body` for each, the oldest first.
  func drain(_ body: (UInt64) -> Void) {
    guard !isEmpty else { return }
    var taken = takeAll()
    for token in taken { body(token) }
    // The next tokens get the memory.
    guard isEmpty else { return }
    taken.removeAll(keepingCapacity: true)
    swap(&taken, &tokens)
  }
}
