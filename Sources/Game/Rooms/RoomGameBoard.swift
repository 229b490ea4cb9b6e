// The board of a game: who comes before whom, and what each row says. Part of `RoomGame`. What a point is for is the
// mode's to say; here it only counts who has how many, who had them first, and who stayed.

extension RoomGame {
  /// The board of a game that ends at `end`: who stayed before who left or ran out; among these more points first, in
  /// land mode then less time for all runs together, then who reached the points first, then the lower seat.
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

  /// Whether who has stayed has completed the game: a solo run around lands is not complete before it has captured
  /// them.
  private var isCompleted: Bool {
    !isSolo || mode.isCompleted
  }

  /// How long a result took: a solo run around lands that has captured them as long as it says, everything else as long
  /// as the player was in the game.
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
      calories: isSolo ? 677 * timeMs / 6_000 : runner.distanceMm / 100
    )
  }
}
