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
    let before = runners[seat].position
    let wasSuspect = runners[seat].isSuspect
    switch runners[seat].take(fix, at: now) {
    case .ignored: break
    case .accepted(let sighting, let counts):
      changedSeats.insert(seat)
      if wasSuspect, !runners[seat].isSuspect { outputs.append(.verdict(place, nil, suspect: false)) }
      if counts {
        score(sighting, of: seat, from: before, at: now, into: &outputs)
      } else {
        territory?.drop(seat, .disbelieved, into: &outputs)
        landGame?.disbelieve(seat)
      }
    case .refused(let refusal):
      outputs.append(.verdict(place, refusal, suspect: runners[seat].isSuspect))
      if runners[seat].isSuspect { territory?.drop(seat, .disbelieved, into: &outputs) }
    }
    return .ok
  }

  /// What a fix that counts is worth is the mode's to say.
  private mutating func score(
    _ sighting: Sighting,
    of seat: Int,
    from before: Coordinate?,
    at now: Instant,
    into outputs: inout [Effect]
  ) {
    switch configuration.mode {
    case .footprint:
      guard runners[seat].scoring.judge(sighting) else { return }
      pointsOrder += 1
      runners[seat].pointsOrder = pointsOrder
    case .territory:
      walk(seat, from: before, to: sighting.coordinate, at: now, into: &outputs)
    case .land:
      run(seat, to: sighting, at: now, into: &outputs)
    }
  }

  /// The points of a seat in the newest game.
  func points(of seat: Int) -> UInt32 {
    switch configuration.mode {
    case .footprint: runners[seat].scoring.points
    case .territory: territory?.areaM2(of: seat) ?? 0
    case .land: landGame?.landsHeld(by: seat) ?? 0
    }
  }

  /// Appends a row for each seat that has a position in the newest game, whoever is in the seat now.
  package func appendPositions(to tick: inout Tick) {
    for seat in runners.indices {
      appendRow(of: seat, to: &tick)
    }
  }

  /// Whether scoring has stopped for the player in a seat until their fixes agree with each other.
  package func isSuspect(seat: Int) -> Bool {
    runners.indices.contains(seat) && runners[seat].isSuspect
  }

  /// The newest fix of the player in a seat that was taken, with when it reached the server; nil before the first.
  package func lastFix(seat: Int) -> (coordinate: Coordinate, at: Instant)? {
    guard runners.indices.contains(seat) else { return nil }
    return runners[seat].lastFix.map { ($0.coordinate, $0.arrival) }
  }

  /// How many are in the running game whose scoring has stopped.
  package var suspectCount: Int {
    phase == .playing ? runners.count { $0.isPresent && $0.isSuspect } : 0
  }

  /// Where a seat has scored in the newest game, from south to north.
  package func footprints(seat: Int) -> [Coordinate] {
    runners.indices.contains(seat) ? Array(runners[seat].scoring.footprints) : []
  }

  /// Appends the row of a seat, if it has a position.
  func appendRow(of seat: Int, to tick: inout Tick) {
    guard let position = runners[seat].position else { return }
    tick.appendRow(seat: seat, at: position, points: points(of: seat))
  }
}
