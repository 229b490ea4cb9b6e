// The parts of one tick of a room, made one after the other, and each once. A value that is reused for every tick.

/// The maker of a tick's parts.
package struct TickParts: Sendable {
  /// The tick as it was gathered, and the mark that it follows.
  private var newest = Tick()
  private var seen = TickMark(broadcastNumber: 0, eventNumber: 0)
  /// The newest rows of the room.
  package private(set) var rows = NewestRows()
  /// Everything behind another mark; nil before the first.
  private var merged = Tick()
  private var mergedMark: TickMark?
  /// Whether that is all: older events may be kept no longer.
  private var isWhole = true

  package init() {}

  /// Begins with a tick that was gathered just now.
  /// - Parameters:
  ///   - newest: The tick.
  ///   - seen: The mark that it follows.
  ///   - room: The room, which does not change until the last part is made.
  package mutating func begin(_ newest: Tick, after seen: TickMark, of room: borrowing JournaledRoom) {
    self.newest = newest
    self.seen = seen
    mergedMark = nil
    room.newestRows(into: &rows)
  }

  /// Makes a part. Parts with the same mark should follow each other.
  /// - Returns: False when events behind its mark are kept no longer: the receiver needs the room's whole state.
  package mutating func make(_ part: TickPart, of room: borrowing JournaledRoom, into tick: inout Tick) -> Bool {
    if part.after == seen {
      tick.take(part.rows, of: newest)
    } else {
      if mergedMark != part.after {
        mergedMark = part.after
        isWhole = room.mergeTicks(
          afterBroadcast: part.after.broadcastNumber,
          afterEvent: part.after.eventNumber,
          into: &merged
        )
      }
      guard isWhole else { return false }
      tick.take(part.rows, of: merged)
    }
    switch part.rows {
    case .events, .without: break
    case .near(let vicinity): rows.append(after: part.after.broadcastNumber, near: vicinity, to: &tick)
    case .all(let broadcast): rows.append(after: broadcast, near: nil, to: &tick)
    }
    return true
  }

  /// Lets go of the tick.
  package mutating func end() {
    newest = Tick()
    merged.reset()
  }
}
