// Tokens of connections that a turn works through: those with queued bytes, those that have ended, those with work.
//
// Owned by one shard and used on its queue. Its memory is its own: an array that is changed in place would make each
// look at it a checked access, and nearly every turn looks at every list.
// Decisions: 114 (docs/decisions).

package final class TokenList {
  private var tokens = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 16)
  private var count = 0

  package init() {}

  deinit {
    tokens.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  package func append(_ token: UInt64) {
    if count == tokens.count { grow() }
    tokens.initializeElement(at: count, to: token)
    count += 1
  }

  /// Takes the newest token out.
  package func popLast() -> UInt64? {
    guard count > 0 else { return nil }
    count -= 1
    return tokens[count]
  }

  /// Takes all tokens out, the oldest first.
  package func takeAll() -> [UInt64] {
    defer { count = 0 }
    return Array(tokens[..<count])
  }

  /// Puts tokens back before those that have come since.
  package func putBack(_ earlier: some Collection<UInt64>) {
    let later = takeAll()
    for token in earlier { append(token) }
    for token in later { append(token) }
  }

  /// Calls `body` for each token, the oldest first, then takes them out. `body` may append and do nothing else with the
  /// list; what it appends stays for the next call.
  package func drain(_ body: (UInt64) -> Void) {
    let end = count
    guard end > 0 else { return }
    // `body` may append, which moves the memory.
    for index in 0..<end { body(tokens[index]) }
    precondition(count >= end, "a list is only appended to while it is drained")
    for index in end..<count { tokens[index - end] = tokens[index] }
    count -= end
  }

  private func grow() {
    let more = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 2 * tokens.count)
    _ = more.initialize(from: tokens)
    tokens.deallocate()
    tokens = more
  }
}
