// Tokens of connections that a turn works through: those with queued bytes, those that have ended, those with work.
//
// Owned by one shard and used on its queue. Its memory is its own: an array that is changed in place would make each
// look at it a checked access, and nearly every turn looks at every list.
// Decisions: 114 (docs/decisions).

package class TokenList {
  private var tokens = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 16)
  /// The index of the oldest token, and that behind the newest.
  private var start = 0
  private var end = 0

  package init() {}

  deinit {
    tokens.deallocate()
  }

  /// The memory that the first eight tokens of an empty list get, until the list grows.
  var firstMemory: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(tokens)[..<64]) }

  package var isEmpty: Bool { start == end }

  /// The oldest token.
  package var first: UInt64? { isEmpty ? nil : tokens[start] }

  package func append(_ token: UInt64) {
    if end == tokens.count { grow() }
    tokens.initializeElement(at: end, to: token)
    end += 1
  }

  /// Takes the oldest token out.
  package func popFirst() -> UInt64? {
    guard let token = first else { return nil }
    start += 1
    if isEmpty { (start, end) = (0, 0) }
    return token
  }

  /// Takes the newest token out.
  package func popLast() -> UInt64? {
    guard !isEmpty else { return nil }
    let token = tokens[end - 1]
    end -= 1
    if isEmpty { (start, end) = (0, 0) }
    return token
  }

  /// Takes all tokens out, the oldest first.
  package func takeAll() -> [UInt64] {
    defer { (start, end) = (0, 0) }
    return Array(tokens[start..<end])
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
    let (begin, drained) = (start, end)
    guard drained > begin else { return }
    // `body` may append, which moves the memory.
    for index in begin..<drained { body(tokens[index]) }
    precondition(start == begin && end >= drained, "a list is only appended to while it is drained")
    for index in drained..<end { tokens[index - drained] = tokens[index] }
    (start, end) = (0, end - drained)
  }

  private func grow() {
    let more = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 2 * tokens.count)
    _ = more.initialize(from: tokens)
    tokens.deallocate()
    tokens = more
  }
}
