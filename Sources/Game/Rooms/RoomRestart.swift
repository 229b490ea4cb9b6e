// The effects of a server restart on a room: its clocks have stood still, and nobody is connected any more. Part of
// `Room`. The wall clock is unaffected: the rules against forged positions and the rates of chat and fixes ignore a
// restart.

extension Room {
  /// Moves the room's clock and the game's on, before any deadline is checked. Holds, the passing of the host's part
  /// and the wait for the room's end start again, so none of these is due. A game whose time is up stays as it ended.
  mutating func moveClocks(by downtime: Duration, at now: Instant) {
    let downtime = max(.zero, downtime)
    clock.zero = clock.zero + downtime
    if deadlines.boardAt == nil { game.moveClocks(by: downtime) }
    if phase == .playing { game.noteDowntime(downtime, until: now) }
    game.endConnections(at: now - downtime)
    deadlines.move(by: downtime, at: now)
    roster.holdAnew(at: now)
    nextDeadline = earliest?.at
  }

  /// Skips the numbers of games and events that may be lost, so that none is reused. The running game, whose end may be
  /// stored already, continues under another number.
  package mutating func skipLostNumbers(lastGame: UInt32, events: UInt32 = RoomNumbers.lostEventsMax) {
    gameNumber = min(max(gameNumber, lastGame), RoomNumbers.gameEnd) + (phase == .playing ? 1 : 0)
    log.skipNumbers(events, max: RoomNumbers.eventMax)
    nextDeadline = earliest?.at
  }

  /// Holds the place of everybody who was connected. Event: `held` for each, seats before spectators, by number.
  ///
  /// Ticks start again too: everyone who comes back gets the whole state, so earlier changes wait for no tick.
  mutating func restart(at now: Instant) -> Effects.Answer {
    log.skipTicks()
    game.forgetChanges()
    roster.movedCursors.removeAll()
    for place in roster.occupants.map(\.place) where roster.isConnected(place) {
      hold(place, at: now)
    }
    deadlines.noteDesertion(of: roster, at: now)
    return .ok
  }
}
