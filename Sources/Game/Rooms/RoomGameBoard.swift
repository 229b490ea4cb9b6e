// The board of a game: its order and its rows. Part of `RoomGame`. The mode defines points; the board uses only their
// number, their order and who stayed.

extension RoomGame {
  /// The board of a game that ends at `end`. Players who stayed come before those who left or whose hold expired. Among
  /// these the order is: more points, in land mode less time for all runs together, reaching the points earlier, the
  /// lower seat.
  func ranked(at end: Instant) -> [BoardRow] {
    let seats = runners.indices.filter { runners[$0].id != nil }
    let order = seats.sorted { left, right in
      let (a, b) = (runners[left], runners[right])
      if a.isPresent != b.isPresent { return a.isPresent }
      let (points, otherPoints) = (mode.points(of: left), mode.points(of: right))
      if points != otherPoints { return points > otherPoints }
      let (timeMs, otherMs) = (mode.tieTimeMs(of: left), mode.tieTimeMs(of: right))
      if timeMs != otherMs { return timeMs < otherMs }
      return (a.pointsOrder, left) < (b.pointsOrder, right)
    }
    return order.enumerated().compactMap { index, seat in
      runners[seat].id.map { boardRow(of: $0, seat: seat, rank: index + 1, end: end) }
    }
  }

  /// Whether players who stayed have completed the game: a solo game over lands is complete only when it has captured
  /// them.
  private var isCompleted: Bool {
    !isSolo || mode.isCompleted
  }

  /// The time of a result: that of the runs for a solo game that has captured its lands, otherwise the player's time in
  /// the game.
  private func timeMs(of seat: Int, upTo end: Instant) -> Int64 {
    (isSolo ? mode.completionMs(of: seat) : nil) ?? runners[seat].presentMs(upTo: end)
  }

  private func boardRow(of id: PlayerID, seat: Int, rank: Int, end: Instant) -> BoardRow {
    let runner = runners[seat]
    let points = mode.points(of: seat)
    let timeMs = timeMs(of: seat, upTo: end)
    return BoardRow(
      seat: seat,
      id: id,
      nickname: runner.nickname,
      rank: rank,
      points: points,
      distanceMm: runner.distanceMm,
      time: .milliseconds(timeMs),
      won: rank == 1 && points > 0 && runner.isPresent,
      completed: runner.isPresent && isCompleted,
      calories: isSolo ? 677 * timeMs / 6_000 : runner.distanceMm / 100,
      latePercent: runner.punctuality.latePercent,
      withheldPercent: runner.punctuality.withheldPercent
    )
  }
}
