// The times in which a player's connections have answered: a fix of such a time that comes late was withheld. A value
// beside each seat, for one game.
//
// A silent connection is lost within 23 s, after a ping in a room and its wait. So the last 30 s before a loss count as
// unheard, and nobody is blamed for a tunnel.
// Decisions: 104 (docs/decisions).

/// The times in which a player's connections have answered.
struct ConnectedSpans: Hashable, Sendable {
  private struct Span: Hashable, Sendable {
    var from: Instant
    var to: Instant
  }

  /// The beginning of the present connection, or of the game; nil without one.
  private var since: Instant?
  /// Those of earlier connections, the newest of them, in order.
  private var earlier: ContiguousArray<Span> = []

  private static let spansKept = 8
  private static let unheardMs = PositionRules.lateMs

  var isAsMade: Bool { since == nil && earlier.isEmpty }

  /// Whether there is a connection.
  var isPresent: Bool { since != nil }

  mutating func begin(at time: Instant) {
    if since == nil { since = time }
  }

  /// The connection is lost.
  mutating func end(at time: Instant) {
    guard let from = since else { return }
    since = nil
    let to = time - .milliseconds(Self.unheardMs)
    guard to > from else { return }
    if earlier.count == Self.spansKept { earlier.removeFirst() }
    earlier.append(Span(from: from, to: to))
  }

  /// Whether a connection before the present one, which has been there since `aliveSince`, answered at this time. The
  /// present one may have taken the place of another without a loss.
  func contains(_ time: Instant, before aliveSince: Instant) -> Bool {
    if let since, time >= since { return time.milliseconds + Self.unheardMs <= aliveSince.milliseconds }
    return earlier.contains { ($0.from...$0.to).contains(time) }
  }
}

// In a journal.
extension ConnectedSpans {
  func write(to state: inout RecordWriter) {
    state.past(since)
    state.bytes.number(earlier.count)
    for span in earlier {
      state.past(span.from)
      state.past(span.to)
    }
  }

  init(from state: inout RecordReader) throws(JournalFault) {
    since = try state.pastIfAny()
    for _ in 0..<(try state.bytes.count(max: Self.spansKept, "number of connected times")) {
      let span = Span(from: try state.past(), to: try state.past())
      try state.require(span.from < span.to, "connected time")
      earlier.append(span)
    }
  }
}
