// The order of the players of a game, while it is on and on the board. Part of `RoomGame`. The mode defines points; who
// left by their own act comes last.
// Decisions: 148 (docs/decisions).

extension RoomGame {
  /// Notes that somebody has left or come back. Behind the end of the game the board alone counts.
  mutating func notePresence(of seat: Int) {
    if board.isEmpty, runners[seat].id != nil { order.becomeStale() }
  }

  /// Notes that a seat has more points, and every other one as many as before. Mostly the order stays.
  mutating func noteGain(of seat: Int) {
    guard !order.isStale else { return }
    let rank = order.seats.firstIndex(of: UInt32(seat))
    if rank == 0 { return }
    let before = rank.map { order.seats[$0 - 1] } ?? (order.isFull(isWalker: isWalker) ? order.seats.last : nil)
    if let before, !isBefore(seat, Int(before)) { return }
    order.becomeStale()
  }

  /// Whether a seat's player comes before another's: those who left by their own act come last. Among the others the
  /// order is: more points, in land mode less time for all runs together, reaching the points earlier, the lower seat.
  func isBefore(_ left: Int, _ right: Int) -> Bool {
    if runners[left].hasQuit != runners[right].hasQuit { return runners[right].hasQuit }
    let (points, otherPoints) = (mode.points(of: left), mode.points(of: right))
    if points != otherPoints { return points > otherPoints }
    let (timeMs, otherMs) = (mode.tieTimeMs(of: left), mode.tieTimeMs(of: right))
    if timeMs != otherMs { return timeMs < otherMs }
    return (runners[left].pointsOrder, left) < (runners[right].pointsOrder, right)
  }

  private func isWalker(_ seat: Int) -> Bool { runners[seat].id?.isWalker == true }

  /// Gathers the ten best people who have points, and all practice opponents who have some.
  private mutating func gatherOrder() {
    var gathered = PlayerOrder()
    swap(&gathered, &order)
    gathered.gather(
      runners.count,
      isRanked: { runners[$0].id != nil && mode.points(of: $0) > 0 },
      isWalker: isWalker,
      isBefore: isBefore
    )
    swap(&gathered, &order)
  }

  /// Moves a changed order into a tick, when it is due.
  mutating func carryOrder(into tick: inout Tick, broadcast: UInt64) {
    guard order.isDue(atMs: tick.gameMs, isLargeRoom: isLarge) else { return }
    gatherOrder()
    order.tell(in: &tick, broadcast: broadcast)
  }

  /// Takes the present order for the whole state alone.
  mutating func skipOrder() {
    order = PlayerOrder()
    guard board.isEmpty else { return }
    gatherOrder()
    order.skip()
  }
}

/// The order that ticks have told.
package enum ToldOrder {
  /// The seats of a running game's ten best people who have points, best first, as the newest tick has told them, with
  /// the practice opponents who have some. Those who left by their own act come behind all others.
  package static func seats(in room: borrowing Room) -> [UInt32] {
    room.phase == .playing ? room.game.order.seats : []
  }
}
