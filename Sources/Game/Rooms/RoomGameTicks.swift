// What ticks tell of a game: rows of positions and points, and what the mode has to tell. Part of `RoomGame`. A tick
// reads what has changed since the last one and nothing else.

extension RoomGame {
  /// Something waits for a tick.
  var hasChanges: Bool { !changedSeats.isEmpty || mode.hasChanges }

  /// Moves what has changed into a tick.
  mutating func carry(into tick: inout Tick, broadcast: UInt64) {
    while let seat = changedSeats.popFirst() {
      runners[seat].rowBroadcast = broadcast
      appendRow(of: seat, to: &tick)
    }
    mode.carry(into: &tick, broadcast: broadcast)
  }

  /// Appends what later broadcasts have carried, as it is now.
  func append(after broadcast: UInt64, to tick: inout Tick) {
    for seat in runners.indices where runners[seat].rowBroadcast > broadcast {
      appendRow(of: seat, to: &tick)
    }
    mode.append(after: broadcast, to: &tick)
  }

  /// Nothing that waits for a tick is told by one.
  mutating func forgetChanges() {
    changedSeats.removeAll()
    mode.forgetChanges()
  }

  /// Appends the row of a seat, if it has a position.
  func appendRow(of seat: Int, to tick: inout Tick) {
    guard let position = runners[seat].position else { return }
    tick.appendRow(seat: seat, at: position, points: mode.points(of: seat))
  }
}
