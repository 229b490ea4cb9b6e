// Positions in a room: what a fix does to the game, and what others may see of it. Part of `Room`, and its hottest path: a
// fix in a warm room must not allocate, so it changes one runner in place.

extension Room {
  /// Takes a fix. Only players send them, and only while a game is on does one do anything. A refused fix is told to its
  /// sender as a verdict; the answer is `ok` all the same, for the fix has reached the room.
  mutating func move(
    _ fix: Fix,
    from place: Place,
    at now: Instant,
    into outputs: inout [Effect]
  ) -> Effects.Answer {
    guard case .seat(let seat) = place else { return .refused(.seatNeeded) }
    guard phase == .playing else { return .ok }
    switch runners[seat].take(fix, at: now, order: &pointsOrder) {
    case .ignored: break
    case .accepted: changedSeats.insert(seat)
    case .refused(let refusal): outputs.append(.verdict(place, refusal, suspect: runners[seat].isSuspect))
    }
    return .ok
  }

  /// Appends a row for each seat that has a position in the newest game, whoever is in the seat now.
  package func appendPositions(to tick: inout Tick) {
    for seat in runners.indices {
      appendRow(of: seat, to: &tick)
    }
  }

  /// Whether scoring has stopped for the player in a seat until their fixes agree with each other.
  package func isSuspect(seat: Int) -> Bool {
    runners[seat].isSuspect
  }

  /// Where a seat has scored in the newest game, from south to north.
  package func footprints(seat: Int) -> [Coordinate] {
    Array(runners[seat].scoring.footprints)
  }

  /// Appends the row of a seat, if it has a position.
  func appendRow(of seat: Int, to tick: inout Tick) {
    guard let position = runners[seat].position else { return }
    tick.appendRow(seat: seat, at: position, points: runners[seat].points)
  }
}
