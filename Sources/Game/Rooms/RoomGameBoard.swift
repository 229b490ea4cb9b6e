// The board of a game: its order and its rows. Part of `RoomGame`. The mode defines points; the board uses only their
// number, their order and who stayed.

extension BoardRow {
  /// The rank that is shown: the first rank without points is nobody's, and practice opponents have none.
  package var givenRank: Int? { Self.givenRank(rank, points: points) }

  package static func givenRank(_ rank: Int, points: UInt32) -> Int? {
    rank == 0 || rank == 1 && points == 0 ? nil : rank
  }
}

extension RoomGame {
  /// The board of a game that ends at `end`, best first.
  func ranked(at end: Instant) -> [BoardRow] {
    let seats = runners.indices.filter { runners[$0].id != nil }
    var rank = 0
    return seats.sorted(by: isBefore).compactMap { seat in
      guard let id = runners[seat].id else { return nil }
      if !id.isWalker { rank += 1 }
      return boardRow(of: id, seat: seat, rank: id.isWalker ? 0 : rank, end: end)
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
      won: rank == 1 && points > 0 && !runner.hasQuit && !isPractice,
      completed: runner.isPresent && isCompleted,
      calories: isSolo ? 677 * timeMs / 6_000 : runner.distanceMm / 100,
      latePercent: runner.punctuality.latePercent,
      withheldPercent: runner.punctuality.withheldPercent
    )
  }
}
