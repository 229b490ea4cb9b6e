// The phases of a room: the start of a game, its end, and the return to the lobby. Part of `Room`.

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
    clock.start(at: now)
    deadlines.endsAt = now + configuration.duration
    game.start(roster, at: now)
    record(.phase(.playing(endsAtGameMs: clockMs(at: now + configuration.duration))), at: now)
    startEvent = log.lastNumber
    return .ok
  }

  /// The room in its lobby, as a game's own journal begins with it: without what is still to be seen of the game
  /// before. The start forgets that anyway, and it may be of players who are not in the new one. Where the return to
  /// the lobby is due only with the start itself, the board is still the room's, and it stays as it is.
  package var clearedForStart: Room {
    guard phase == .lobby else { return self }
    var room = self
    room.game.clear()
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
    deadlines.endsAt = nil
    deadlines.lobbyAt = time + Deadlines.boardTime
    game.end(at: time)
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
    deadlines.lobbyAt = nil
    game.release(roster)
    record(.phase(.lobby), at: time)
    seatSpectators(at: time, into: &outputs)
  }

  /// Why who is in `place` may not decide what the room does next; the first that holds.
  private func refusal(of place: Place, unless needed: Phase) -> Refusal? {
    guard case .seat(let seat) = place else { return .seatNeeded }
    guard phase == needed else { return .wrongPhase }
    return configuration.hostOnly && hostSeat != seat ? .hostOnly : nil
  }
}
