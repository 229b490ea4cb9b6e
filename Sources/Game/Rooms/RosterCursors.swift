// How far everyone in a room has read its chat, and what ticks tell of it. Part of `Roster`.

extension Roster {
  /// Moves a read cursor forward; one that is there or beyond stays.
  mutating func readChat(upTo number: UInt32, from place: Place) {
    guard let slot = slot(of: place), let occupant = self[place], number > occupant.readUpTo else { return }
    self[place]?.readUpTo = number
    movedCursors.insert(slot)
  }

  /// The first slot whose cursor is for a tick that tells events numbered up to `last`: it comes with the event that
  /// tells of its owner, or after it.
  func dueCursor(through last: UInt32) -> Int? {
    guard !movedCursors.isEmpty else { return nil }
    return movedCursors.first { slot in self[place(ofSlot: slot)].map { $0.joinedEvent <= last } ?? false }
  }

  /// Moves the cursors that are due into a tick.
  mutating func carryCursors(through last: UInt32, into tick: inout Tick, broadcast: UInt64) {
    while let slot = dueCursor(through: last) {
      movedCursors.remove(slot)
      let place = place(ofSlot: slot)
      guard let readUpTo = self[place]?.readUpTo else { continue }
      self[place]?.cursorBroadcast = broadcast
      tick.cursors.append(Cursor(place: place, upTo: readUpTo))
    }
  }

  /// Appends the cursors that later broadcasts have carried. Whose coming is told by an event behind `last` has no
  /// cursor there: it comes with their `joined`.
  func appendCursors(after broadcast: UInt64, through last: UInt32, to tick: inout Tick) {
    for (place, occupant) in occupants where occupant.cursorBroadcast > broadcast && occupant.joinedEvent <= last {
      tick.cursors.append(Cursor(place: place, upTo: occupant.readUpTo))
    }
  }

  /// No tick is to carry the cursor of a place that is about to be empty.
  mutating func forgetCursor(of place: Place) {
    if let slot = slot(of: place) {
      movedCursors.remove(slot)
    }
  }
}
