// Positions in a room: the effect of a fix on the game, and the public view of positions. Part of `Room`, and its
// hottest path.

extension Room {
  /// Takes a fix. Only players send fixes, which have an effect only during a game; the answer is `ok` without one.
  mutating func move(
    _ fix: Fix,
    from place: Place,
    at now: Instant,
    into outputs: inout [Effect]
  ) -> Effects.Answer {
    guard case .seat(let seat) = place else { return .refused(.seatNeeded) }
    guard phase == .playing else { return .judged(.outsideGame) }
    let verdict = take(fix, of: seat, at: now, .live, into: &outputs)
    if deadlines.boardAt != nil { endWaitIfOver(at: now, into: &outputs) }
    return .judged(verdict)
  }

  /// Takes the fixes that a phone has kept, each by the rules of a single one.
  mutating func moves(
    _ batch: FixBatch,
    from place: Place,
    at now: Instant,
    into effects: inout Effects
  ) -> Effects.Answer {
    guard case .seat(let seat) = place else { return .refused(.seatNeeded) }
    let origin = FixOrigin.kept(aliveSince: batch.aliveSince)
    for fix in batch.fixes where phase == .playing {
      effects.verdicts.append(take(fix, of: seat, at: now, origin, into: &effects.outputs))
    }
    // The game is over, or a capture has ended it.
    effects.verdicts += repeatElement(.outsideGame, count: batch.fixes.count - effects.verdicts.count)
    guard phase == .playing else { return .ok }
    if batch.hasMore { game.runners[seat].continueGap(at: now) } else { game.runners[seat].closeGap() }
    endWaitIfOver(at: now, into: &effects.outputs)
    return .ok
  }

  /// Takes one fix during a game. It counts only if it was taken during the game.
  @inline(__always)
  private mutating func take(
    _ fix: Fix,
    of seat: Int,
    at now: Instant,
    _ origin: FixOrigin,
    into outputs: inout [Effect]
  ) -> FixVerdict {
    let time = fix.time ?? now
    let isAhead = time.milliseconds > now.milliseconds + PositionRules.aheadMaxMs
    if time < startedAt || !isAhead && deadlines.isBehindGame(time) {
      // Fixes come in the order of their times: none from the game is left.
      if time >= startedAt { game.runners[seat].closeGap() }
      return .outsideGame
    }
    let (verdict, score) = game.take(
      fix,
      of: seat,
      isHost: seat == hostSeat,
      time: time,
      at: now,
      origin,
      into: &outputs
    )
    if case .captured(let capture, let endsGame) = score {
      record(.captured(seat: seat, capture), at: now)
      if endsGame {
        endGame(at: now, into: &outputs)
        nextDeadline = earliest?.at
      }
    }
    return verdict
  }

  /// The time of the newest judged fix of a seat's player; nil before the first. Fixes up to it count once.
  package func judgedThrough(seat: Int) -> Instant? {
    game.runners.indices.contains(seat) ? game.runners[seat].judgedThrough : nil
  }

  /// Whether a seat's player may have fixes from a time without a connection.
  package func mayHaveKeptFixes(seat: Int) -> Bool {
    game.runners.indices.contains(seat) && game.runners[seat].gap != .none
  }

  /// Appends a row for each seat with a position in the newest game, even if another player has the seat now.
  package func appendPositions(to tick: inout Tick) {
    for seat in game.runners.indices { game.appendRow(of: seat, to: &tick) }
  }

  /// Whether scoring has stopped for the player in a seat until their fixes agree with each other.
  package func isSuspect(seat: Int) -> Bool {
    game.runners.indices.contains(seat) && game.runners[seat].isSuspect
  }

  /// The newest accepted fix of the player in a seat, with its time; nil before the first.
  package func lastFix(seat: Int) -> (coordinate: Coordinate, at: Instant)? {
    guard game.runners.indices.contains(seat) else { return nil }
    return game.runners[seat].lastFix.map { ($0.coordinate, $0.time) }
  }

  /// The number of players in the running game whose scoring has stopped.
  package var suspectCount: Int {
    phase == .playing ? game.runners.count { $0.isPresent && $0.isSuspect } : 0
  }
}
