// The game's part of ticks: rows of positions and points, and the mode's changes. Part of `RoomGame`. A tick reads only
// the changes since the last one.

extension RoomGame {
  /// Whether changes wait for a tick.
  var hasChanges: Bool { !changedSeats.isEmpty || mode.hasChanges }

  /// Moves the changes into a tick.
  mutating func carry(into tick: inout Tick, broadcast: UInt64) {
    while let seat = changedSeats.popFirst() {
      runners[seat].rowBroadcast = broadcast
      appendRow(of: seat, to: &tick)
    }
    mode.carry(into: &tick, broadcast: broadcast)
    carryOrder(into: &tick, broadcast: broadcast)
  }

  /// Appends the current state of everything that later broadcasts have carried.
  func append(after broadcast: UInt64, to tick: inout Tick) {
    for seat in runners.indices where runners[seat].rowBroadcast > broadcast {
      appendRow(of: seat, to: &tick)
    }
    mode.append(after: broadcast, to: &tick)
    if order.broadcast > broadcast { tick.order = order.seats }
  }

  /// Drops the changes: no tick carries them.
  mutating func forgetChanges() {
    changedSeats.removeAll()
    mode.forgetChanges()
    skipOrder()
  }

  /// Appends the row of a seat, if it has a position.
  func appendRow(of seat: Int, to tick: inout Tick) {
    guard let position = runners[seat].position else { return }
    tick.appendRow(seat: seat, at: position, points: mode.points(of: seat))
  }
}
