// What time alone does in a room. Part of `Room`. Deadlines are not timers but facts of the state, found again after each
// change, so that none can be forgotten or fire twice; each is carried out at its exact time, however late it is noticed.

/// Something that time alone will do.
private enum Deadline {
  case endOfGame
  case endOfHold(Place)
  case passOfHost
  case backToLobby
  case endOfRoom
  /// Of events or games.
  case endOfNumbers
}

extension Room {
  /// How long a board is shown before the room goes back to the lobby by itself.
  package static let boardTime = Duration.seconds(60)

  /// The time of the earliest deadline.
  func earliestDeadline() -> Instant? {
    earliest?.at
  }

  /// Carries out every deadline up to `now`, in order of time. What one brings about may be the next.
  mutating func fireDeadlines(through now: Instant, into effects: inout Effects) {
    while !isClosed, let (at, deadline) = earliest, at <= now {
      fire(deadline, at: at, into: &effects.outputs)
    }
    nextDeadline = isClosed ? nil : earliest?.at
  }

  /// The earliest deadline. At the same time: first the end of the game, so that a hold that runs out with it has lasted;
  /// then ends of holds, seats before spectators, by number; the host's part; the lobby; the end of the room; the end of
  /// numbers, which is due as soon as it is noticed.
  private var earliest: (at: Instant, deadline: Deadline)? {
    var earliest: (at: Instant, deadline: Deadline)?
    func consider(_ at: Instant, _ deadline: Deadline) {
      if let found = earliest, found.at <= at { return }
      earliest = (at, deadline)
    }

    if let endsAt {
      consider(endsAt, .endOfGame)
    }
    for (place, occupant) in roster.occupants {
      if let heldSince = occupant.heldSince {
        consider(heldSince + Self.holdTime, .endOfHold(place))
      }
    }
    if let hostSeat, let heldSince = roster[.seat(hostSeat)]?.heldSince, roster.longestConnectedSeat != nil {
      consider(heldSince + Self.hostPassTime, .passOfHost)
    }
    if let lobbyAt {
      consider(lobbyAt, .backToLobby)
    }
    if let desertedSince {
      consider(desertedSince + Self.desertedTime, .endOfRoom)
    }
    if isAtEndOfNumbers {
      consider(latest, .endOfNumbers)
    }
    return earliest
  }

  private mutating func fire(_ deadline: Deadline, at time: Instant, into outputs: inout [Effect]) {
    switch deadline {
    case .endOfGame: endGame(at: time, into: &outputs)
    case .endOfHold(let place): remove(place, at: time, into: &outputs)
    case .passOfHost: passHost(at: time)
    case .backToLobby: openLobby(at: time, into: &outputs)
    case .endOfRoom:
      // Every hold is shorter than the wait for this.
      precondition(members.isEmpty, "a room closes empty by itself")
      close(into: &outputs)
    case .endOfNumbers: close(into: &outputs)
    }
  }

  /// No event or game is numbered from here on: there the room closes with whatever comes next. What one input brings about
  /// still has its numbers.
  static let eventNumberEnd = eventNumberMax - (1 << 16)
  static let gameNumberEnd = gameNumberMax - 1

  var isAtEndOfNumbers: Bool {
    log.lastNumber >= Self.eventNumberEnd || gameNumber >= Self.gameNumberEnd
  }

  /// Ends the room as it is. No event tells of it: no tick comes behind.
  mutating func close(into outputs: inout [Effect]) {
    isClosed = true
    outputs.append(.closed)
  }
}
