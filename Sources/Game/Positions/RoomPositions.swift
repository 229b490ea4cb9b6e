// Positions in a room: the effect of a fix on the game, and the public view of positions. Part of `Room`, and its
// hottest path.

extension Room {
  /// Takes a fix. Only players send fixes, which have an effect only during a game. The sender of a refused fix is
  /// notified by a verdict; the answer is still `ok`, since the fix has reached the room.
  mutating func move(
    _ fix: Fix,
    from place: Place,
    at now: Instant,
    into outputs: inout [Effect]
  ) -> Effects.Answer {
    guard case .seat(let seat) = place else { return .refused(.seatNeeded) }
    guard phase == .playing else { return .ok }
    let score = game.take(fix, of: seat, isHost: seat == hostSeat, at: now, into: &outputs)
    if case .captured(let capture, let endsGame) = score {
      record(.captured(seat: seat, capture), at: now)
      if endsGame {
        endGame(at: now, into: &outputs)
        nextDeadline = earliest?.at
      }
    }
    return .ok
  }

  /// Appends a row for each seat with a position in the newest game, even if another player has the seat now.
  package func appendPositions(to tick: inout Tick) {
    for seat in game.runners.indices {
      game.appendRow(of: seat, to: &tick)
    }
  }

  /// Whether scoring has stopped for the player in a seat until their fixes agree with each other.
  package func isSuspect(seat: Int) -> Bool {
    game.runners.indices.contains(seat) && game.runners[seat].isSuspect
  }

  /// The newest accepted fix of the player in a seat, with its time of arrival at the server; nil before the first.
  package func lastFix(seat: Int) -> (coordinate: Coordinate, at: Instant)? {
    guard game.runners.indices.contains(seat) else { return nil }
    return game.runners[seat].lastFix.map { ($0.coordinate, $0.arrival) }
  }

  /// The number of players in the running game whose scoring has stopped.
  package var suspectCount: Int {
    phase == .playing ? game.runners.count { $0.isPresent && $0.isSuspect } : 0
  }
}
