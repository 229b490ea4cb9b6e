// What a restart of the server does to a room: its clocks have stood still, and nobody is connected any more. Part of
// `Room`. What is reckoned by the wall clock stays as it was: the rules against forged positions and the rates of chat and
// fixes know nothing of a restart.

extension Room {
  /// Moves the room's clock and the game's on, before any deadline is looked at. Holds, the passing of the host's part and
  /// the wait for the room's end begin anew, so none of these is due.
  mutating func moveClocks(by stoodStill: Duration, at now: Instant) {
    let stoodStill = max(.zero, stoodStill)
    clock.zero = clock.zero + stoodStill
    deadlines.move(by: stoodStill, at: now)
    game.moveClocks(by: stoodStill)
    roster.holdAnew(at: now)
    nextDeadline = earliest?.at
  }

  /// So many events a room is taken to have lost at most: 400 members chat half a million times in 20 minutes.
  package static let lostEventsMax: UInt32 = 1 << 20

  /// What the room did last is lost, or may be: no number is given again that a game or an event may have had there. The
  /// game that is on, whose end may be stored already, goes on as another.
  package mutating func skipLostNumbers(lastGame: UInt32, events: UInt32 = Room.lostEventsMax) {
    gameNumber = min(max(gameNumber, lastGame), RoomNumbers.gameEnd) + (phase == .playing ? 1 : 0)
    log.skipNumbers(events, max: RoomNumbers.eventMax)
    nextDeadline = earliest?.at
  }

  /// Holds the place of everybody who was connected. Event: `held` for each, seats before spectators, by number.
  ///
  /// Ticks begin anew too: all who come back are told the whole state, so nothing of before waits for a tick.
  mutating func restart(at now: Instant) -> Effects.Answer {
    log.skipTicks()
    game.forgetChanges()
    roster.movedCursors.removeAll()
    for place in roster.occupants.map(\.place) where roster.isConnected(place) {
      roster[place]?.heldSince = now
      record(.held(place), at: now)
    }
    deadlines.noteDesertion(of: roster, at: now)
    return .ok
  }
}
