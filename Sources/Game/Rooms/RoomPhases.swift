// The phases of a room: the start of a game, its end, and the return to the lobby. Part of `Room`.

extension Room {
  /// Starts a game: anyone with a seat may, or only the host. Seats that are held count as taken.
  ///
  /// The room's clock, points, positions, distances and the board are reset. Event: `phase`, at 0 ms.
  mutating func startGame(from place: Place, at now: Instant) -> Effects.Answer {
    if let refusal = refusal(of: place, unless: .lobby) { return .refused(refusal) }
    guard configuration.canStart(with: roster.seatedCount) else { return .refused(.tooFewPlayers) }

    precondition(gameNumber < .max, "game numbers are not exhausted")
    phase = .playing
    gameNumber += 1
    startedAt = now
    clock.start(at: now)
    deadlines.endsAt = now + configuration.duration
    game.start(roster, at: now)
    let endsAtGameMs = clockMs(at: now + configuration.duration)
    record(.phase(.playing(game: gameNumber, endsAtGameMs: endsAtGameMs)), at: now)
    startEvent = log.lastNumber
    RoomWalkers.sitDown(in: &self, at: now)
    return .ok
  }

  /// The room in its lobby, as a game's own journal begins with it: without the visible rest of the previous game. The
  /// start forgets that anyway, and it may belong to players who are not in the new game. Where the return to the lobby
  /// is due only with the start itself, the board is still the room's and stays.
  package var clearedForStart: Room {
    guard phase == .lobby else { return self }
    var room = self
    room.game.clear()
    return room
  }

  /// Returns to the lobby before the board's time is up: anyone with a seat may, or only the host.
  mutating func playAgain(from place: Place, at now: Instant, into outputs: inout [Effect]) -> Effects.Answer {
    if let refusal = refusal(of: place, unless: .ended) { return .refused(refusal) }
    openLobby(at: now, into: &outputs)
    return .ok
  }

  /// Ends the time of the game, at its deadline or because too few players are left. The board stands at once, unless
  /// fixes from before may still come. Event: `timeUp` or `phase`.
  mutating func timeIsUp(at time: Instant, into outputs: inout [Effect]) {
    deadlines.endsAt = time
    deadlines.timeUpAt = time
    guard let wait = game.waitForFixes(of: roster, at: time) else { return endGame(at: time, into: &outputs) }
    awaitFixes(until: time + wait, at: time)
  }

  /// Waits with the board. Event: `timeUp`.
  mutating func awaitFixes(until boardAt: Instant, at time: Instant) {
    deadlines.boardAt = boardAt
    record(.timeUp(boardAtGameMs: clockMs(at: boardAt)), at: time)
  }

  /// Ends the game if its time is up and no late fixes can come any more.
  mutating func endWaitIfOver(at time: Instant, into outputs: inout [Effect]) {
    guard deadlines.boardAt != nil, let end = deadlines.timeUpAt, !game.awaitsFixes(roster, at: end) else { return }
    endGame(at: time, into: &outputs)
    nextDeadline = earliest?.at
  }

  /// Ends the game and makes the board. Event: `phase` with the board.
  mutating func endGame(at time: Instant, into outputs: inout [Effect]) {
    let endedAt = deadlines.timeUpAt ?? time
    phase = .ended
    deadlines.endsAt = nil
    deadlines.timeUpAt = nil
    deadlines.boardAt = nil
    deadlines.lobbyAt = time + Deadlines.boardTime
    game.end(at: endedAt)
    record(.phase(.ended(board: board)), at: time)
    outputs.append(.gameEnded(GameResult(of: self, endedAt: endedAt)))
  }

  /// Returns to the lobby: anybody may take a free seat. Events: `phase`, then those of spectators who take seats.
  mutating func openLobby(at time: Instant, into outputs: inout [Effect]) {
    phase = .lobby
    deadlines.lobbyAt = nil
    game.release(roster)
    record(.phase(.lobby), at: time)
    RoomWalkers.leave(&self, at: time)
    seatSpectators(at: time, into: &outputs)
  }

  /// The reason why the member in `place` may not decide the next phase; the first that holds.
  private func refusal(of place: Place, unless needed: Phase) -> Refusal? {
    guard case .seat(let seat) = place else { return .seatNeeded }
    guard phase == needed else { return .wrongPhase }
    return configuration.hostOnly && hostSeat != seat ? .hostOnly : nil
  }
}
