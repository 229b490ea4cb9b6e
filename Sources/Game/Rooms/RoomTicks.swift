// A room's messages to its members: ticks of the changes, one merged tick for a connection that fell behind, older
// events for one that resumes. Part of `Room`. A tick reads only the changes since the last one.

extension Room {
  /// The number of the newest event; 0 before the first.
  package var lastEventNumber: UInt32 { log.lastNumber }

  /// Whether changes wait for a tick that carries events numbered up to `last`: such events, rows, cells, or cursors.
  package func hasChanges(through last: UInt32) -> Bool {
    guard isSendable(through: last) else { return false }
    return log.hasUncarried(through: last) || game.hasChanges
      || roster.dueCursor(through: max(last, log.carriedNumber)) != nil
  }

  /// Whether ticks that carry events up to `last` may carry anything. A game's start resets the room's clock and clears
  /// older rows: no tick comes between the start and the tick that may carry it.
  package func isSendable(through last: UInt32) -> Bool {
    startEvent <= max(last, log.carriedNumber)
  }

  /// The number of the newest tick of this game, empty or not.
  package var lastTickNumber: UInt32 { clock.lastTickNumber }

  /// The number of the newest event that a tick has carried; 0 before the first.
  package var carriedEventNumber: UInt32 { log.carriedNumber }

  /// The next tick boundary: a multiple of the tick interval on the room's clock, later than `time`. A start of a game
  /// resets the clock, and the boundaries with it.
  package func nextTick(after time: Instant) -> Instant {
    clock.nextTick(after: time)
  }

  /// Gathers the changes since the last tick, with events numbered up to `last`.
  ///
  /// Rows are those of seats whose position was accepted; those of a game's last moments too when it has ended since.
  mutating func tick(through last: UInt32, at now: Instant, into tick: inout Tick) {
    clock.tick(at: now)
    clock.stamp(&tick)
    guard hasChanges(through: last) else { return }

    broadcastNumber += 1
    game.carry(into: &tick, broadcast: broadcastNumber)
    roster.carryCursors(through: max(last, log.carriedNumber), into: &tick, broadcast: broadcastNumber)
    log.carry(through: last, into: &tick.events)
  }

  /// Merges everything since a broadcast into one tick, for a connection that fell behind. It has the newest row of
  /// each seat and each cursor of later broadcasts, and the events of later broadcasts.
  /// - Parameters:
  ///   - broadcast: The number of the last broadcast that the connection took; at most `broadcastNumber`.
  ///   - number: The number of the last event that it took.
  ///   - tick: Emptied first, then filled; empty when nothing was missed.
  /// - Returns: False when some of those events are kept no longer; the connection then needs the room's whole state.
  package func mergeTicks(afterBroadcast broadcast: UInt64, afterEvent number: UInt32, into tick: inout Tick) -> Bool {
    precondition(broadcast <= broadcastNumber, "the number is of an earlier broadcast")
    tick.reset()
    guard log.keepsAll(after: number) else { return false }
    clock.stamp(&tick)
    guard broadcast < broadcastNumber else { return true }

    tick.skipped = UInt32(clamping: broadcastNumber - broadcast - 1)
    game.append(after: broadcast, to: &tick)
    roster.appendCursors(after: broadcast, through: log.carriedNumber, to: &tick)
    log.append(after: number, through: log.carriedNumber, to: &tick.events)
    return true
  }

  /// The kept events numbered after `number`, including those that no tick has carried yet, and whether some are kept
  /// no longer.
  package func events(after number: UInt32) -> (events: [Event], gap: Bool) {
    var events: [Event] = []
    log.append(after: number, through: log.lastNumber, to: &events)
    return (events, !log.keepsAll(after: number))
  }
}
