// Carries out a room's deadlines, each at its exact time, however late it is noticed. Part of `Room`.

extension Room {
  /// The earliest deadline.
  var earliest: (at: Instant, deadline: Deadline)? {
    deadlines.earliest(
      in: roster,
      configuration,
      isPlaying: phase == .playing,
      walkAt: game.walkers?.beatAt(clock, deadlines),
      numbersEndAt: isAtEndOfNumbers ? latest : nil
    )
  }

  /// Carries out every deadline up to `now`, in order of time. One may cause the next.
  mutating func fireDeadlines(through now: Instant, into effects: inout Effects) {
    while !isClosed, let (at, deadline) = earliest, at <= now {
      fire(deadline, at: at, into: &effects.outputs)
    }
    nextDeadline = isClosed ? nil : earliest?.at
  }

  private mutating func fire(_ deadline: Deadline, at time: Instant, into outputs: inout [Effect]) {
    switch deadline {
    case .endOfGame: timeIsUp(at: time, into: &outputs)
    case .endOfWait: endGame(at: time, into: &outputs)
    case .endOfHold(let place): remove(place, byOwnAct: false, at: time, into: &outputs)
    case .passOfHost: passHost(at: time)
    case .backToLobby: openLobby(at: time, into: &outputs)
    case .walk: RoomWalkers.move(in: &self, at: time, into: &outputs)
    case .endOfRoom, .endOfNumbers: close(into: &outputs)
    }
  }

  var isAtEndOfNumbers: Bool {
    log.lastNumber >= RoomNumbers.eventEnd || gameNumber >= RoomNumbers.gameEnd
  }

  /// Closes the room in its current state. No event reports it, since no tick follows.
  mutating func close(into outputs: inout [Effect]) {
    isClosed = true
    outputs.append(.closed)
  }
}
