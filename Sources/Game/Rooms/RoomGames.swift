// The games of a room: start, end, board, and the way back to the lobby. Part of `Room`. What a point is for is the mode's
// to say; here it only counts who has how many, who had them first, and who stayed.

extension Room {
  /// Starts a game: anyone with a seat may, or only the host. Seats that are held count as taken.
  ///
  /// The room's clock, points, positions, distances and the board begin anew. Event: `phase`, at 0 ms.
  mutating func startGame(from place: Place, at now: Instant) -> Effects.Answer {
    if let refusal = refusal(of: place, unless: .lobby) { return .refused(refusal) }
    guard roster.seatedCount >= configuration.playersMin else { return .refused(.tooFewPlayers) }

    precondition(gameNumber < .max, "a room outlived its game numbers")
    phase = .playing
    gameNumber += 1
    startedAt = now
    clockZero = now
    endsAt = now + configuration.duration
    board = []
    lastTickNumber = 0
    lastTickMs = 0
    pointsOrder = 0
    changedSeats.removeAll()
    territory?.start()
    landGame?.start()
    for seat in runners.indices {
      runners[seat].start(roster[.seat(seat)], at: now)
    }
    record(.phase(.playing(endsAtGameMs: clockMs(at: now + configuration.duration))), at: now)
    startEvent = log.lastNumber
    return .ok
  }

  /// The room in its lobby, as a game's own journal begins with it: without what is still to be seen of the game before.
  /// The start forgets that anyway, and it may be of players who are not in the new one. Where the way back to the lobby is
  /// due only with the start itself, the board is still the room's, and it stays as it is.
  package var clearedForStart: Room {
    guard phase == .lobby else { return self }
    var room = self
    room.board = []
    room.pointsOrder = 0
    room.changedSeats.removeAll()
    for seat in room.runners.indices {
      room.runners[seat].clear()
    }
    room.territory?.clear()
    room.landGame?.start()
    return room
  }

  /// Goes back to the lobby before the board's time is up: anyone with a seat may, or only the host.
  mutating func playAgain(from place: Place, at now: Instant, into outputs: inout [Effect]) -> Effects.Answer {
    if let refusal = refusal(of: place, unless: .ended) { return .refused(refusal) }
    openLobby(at: now, into: &outputs)
    return .ok
  }

  /// Ends the game, at its deadline or because too few are left. Event: `phase` with the board.
  mutating func endGame(at time: Instant, into outputs: inout [Effect]) {
    phase = .ended
    endsAt = nil
    lobbyAt = time + Self.boardTime
    board = ranked(at: time)
    landGame?.end()
    record(.phase(.ended(board: board)), at: time)
    outputs.append(
      .gameEnded(
        GameResult(
          number: gameNumber,
          mode: configuration.mode,
          startedAt: startedAt,
          endedAt: time,
          board: board,
          fingerprint: fingerprint
        )
      )
    )
  }

  /// Goes back to the lobby: all free seats are anybody's. Events: `phase`, then those of spectators who take seats.
  mutating func openLobby(at time: Instant, into outputs: inout [Effect]) {
    phase = .lobby
    lobbyAt = nil
    for seat in runners.indices {
      runners[seat].release()
      if roster[.seat(seat)] == nil {
        runners[seat].forgetFixes(speedMaxMmPerS: configuration.speedMaxMmPerS)
      }
    }
    record(.phase(.lobby), at: time)
    seatSpectators(at: time, into: &outputs)
  }

  /// Why who is in `place` may not decide what the room does next; the first that holds.
  private func refusal(of place: Place, unless needed: Phase) -> Refusal? {
    guard case .seat(let seat) = place else { return .seatNeeded }
    guard phase == needed else { return .wrongPhase }
    return configuration.hostOnly && hostSeat != seat ? .hostOnly : nil
  }

  /// The board of a game that ends at `end`: who stayed before who left or ran out; among these more points first, in land
  /// mode then less time for all runs together, then who reached the points first, then the lower seat.
  private func ranked(at end: Instant) -> [BoardRow] {
    let seats = runners.indices.filter { runners[$0].id != nil }
    let order = seats.sorted { left, right in
      let (a, b) = (runners[left], runners[right])
      if a.isPresent != b.isPresent { return a.isPresent }
      if points(of: left) != points(of: right) { return points(of: left) > points(of: right) }
      let (timeMs, otherMs) = (landGame?.totalTimeMs(of: left) ?? 0, landGame?.totalTimeMs(of: right) ?? 0)
      if timeMs != otherMs { return timeMs < otherMs }
      return (a.pointsOrder, left) < (b.pointsOrder, right)
    }
    return order.enumerated().compactMap { index, seat in
      runners[seat].id.map { boardRow(of: $0, seat: seat, rank: index + 1, end: end) }
    }
  }

  /// Whether who has stayed has completed the game: a solo run around lands is not complete before it has captured them.
  private var isCompleted: Bool {
    !configuration.solo || landGame?.isOver ?? true
  }

  /// How long a result took: a solo run around lands that has captured them as long as it says, everything else as long as
  /// the player was in the game.
  private func timeMs(of seat: Int, upTo end: Instant) -> Int64 {
    guard configuration.solo, let landGame, landGame.isOver else { return runners[seat].presentMs(upTo: end) }
    return landGame.totalTimeMs(of: seat)
  }

  private func boardRow(of id: PlayerID, seat: Int, rank: Int, end: Instant) -> BoardRow {
    let runner = runners[seat]
    let timeMs = timeMs(of: seat, upTo: end)
    return BoardRow(
      seat: seat,
      id: id,
      nickname: runner.nickname,
      rank: rank,
      points: points(of: seat),
      distanceMm: runner.distanceMm,
      time: .milliseconds(timeMs),
      won: rank == 1 && points(of: seat) > 0 && runner.isPresent,
      completed: runner.isPresent && isCompleted,
      calories: configuration.solo ? 677 * timeMs / 6_000 : runner.distanceMm / 100
    )
  }
}
