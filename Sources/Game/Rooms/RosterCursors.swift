// The read cursors of a room's chat, and their part of ticks. Part of `Roster`.

extension Roster {
  /// Moves a read cursor forward; one at or beyond the number stays.
  mutating func readChat(upTo number: UInt32, from place: Place) {
    guard let slot = slot(of: place), let occupant = self[place], number > occupant.readUpTo else { return }
    self[place]?.readUpTo = number
    movedCursors.insert(slot)
  }

  /// The first slot whose cursor belongs in a tick with events up to `last`: the cursor comes with its owner's join
  /// event, or after it.
  func dueCursor(through last: UInt32) -> Int? {
    guard !movedCursors.isEmpty else { return nil }
    return movedCursors.first { slot in self[place(ofSlot: slot)].map { $0.joinedEvent <= last } ?? false }
  }

  /// Moves the due cursors into a tick.
  mutating func carryCursors(through last: UInt32, into tick: inout Tick, broadcast: UInt64) {
    while let slot = dueCursor(through: last) {
      movedCursors.remove(slot)
      let place = place(ofSlot: slot)
      guard let readUpTo = self[place]?.readUpTo else { continue }
      self[place]?.cursorBroadcast = broadcast
      tick.cursors.append(Cursor(place: place, upTo: readUpTo))
    }
  }

  /// Appends the cursors that later broadcasts have carried. A member whose join event comes after `last` has none
  /// there: it comes with their `joined`.
  func appendCursors(after broadcast: UInt64, through last: UInt32, to tick: inout Tick) {
    for (place, occupant) in occupants where occupant.cursorBroadcast > broadcast && occupant.joinedEvent <= last {
      tick.cursors.append(Cursor(place: place, upTo: occupant.readUpTo))
    }
  }

  /// Removes the cursor of a place that is about to be empty from the next ticks.
  mutating func forgetCursor(of place: Place) {
    if let slot = slot(of: place) {
      movedCursors.remove(slot)
    }
  }
}
