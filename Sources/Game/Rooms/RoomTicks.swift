// What a room tells its members: ticks of what changed, one merged tick for who fell behind, older events for who resumes.
// Part of `Room`. A tick reads what changed since the last one and nothing else.

extension Room {
  /// The number of the newest event; 0 before the first.
  package var lastEventNumber: UInt32 {
    log.lastNumber
  }

  /// Something waits for the next tick.
  package var hasChanges: Bool {
    !changedSeats.isEmpty || !movedCursors.isEmpty || log.carriedNumber < log.lastNumber
  }

  /// The next tick boundary: a multiple of the tick interval on the room's clock, later than `time`. A start of a game
  /// begins the clock anew, and the boundaries with it.
  package func nextTick(after time: Instant) -> Instant {
    let intervalMs = configuration.tickInterval.wholeMilliseconds
    let elapsedMs = max(0, time.milliseconds - clockZero.milliseconds)
    return Instant(milliseconds: clockZero.milliseconds + (elapsedMs / intervalMs + 1) * intervalMs)
  }

  /// Gathers what changed since the last tick.
  ///
  /// Rows appear for seats whose position was accepted; those of a game's last moments also when it has ended since.
  mutating func tick(at now: Instant, into tick: inout Tick) {
    lastTickMs = clockMs(at: now)
    lastTickNumber = lastTickMs / UInt32(configuration.tickInterval.wholeMilliseconds)
    stamp(&tick)
    guard hasChanges else { return }

    broadcastNumber += 1
    while let seat = changedSeats.popFirst() {
      runners[seat].rowBroadcast = broadcastNumber
      appendRow(of: seat, to: &tick)
    }
    while let slot = movedCursors.popFirst() {
      let place = roster.place(ofSlot: slot)
      guard let readUpTo = roster[place]?.readUpTo else { continue }
      roster[place]?.cursorBroadcast = broadcastNumber
      tick.cursors.append(Cursor(place: place, upTo: readUpTo))
    }
    log.carry(into: &tick.events)
  }

  /// For a connection that fell behind: everything since a broadcast as one tick. The newest row of each seat and each
  /// cursor that was in a later broadcast, and the events of later broadcasts.
  /// - Parameters:
  ///   - broadcast: The number of the last broadcast that the connection took; at most `broadcastNumber`.
  ///   - number: The number of the last event that it took.
  ///   - tick: Emptied first, then filled; empty when nothing was missed.
  /// - Returns: False when some of those events are kept no longer; the connection then needs the room's whole state.
  package func mergeTicks(afterBroadcast broadcast: UInt64, afterEvent number: UInt32, into tick: inout Tick) -> Bool {
    precondition(broadcast <= broadcastNumber, "a broadcast that has not been")
    tick.reset()
    guard log.keepsAll(after: number) else { return false }
    stamp(&tick)
    guard broadcast < broadcastNumber else { return true }

    tick.skipped = UInt32(clamping: broadcastNumber - broadcast - 1)
    for seat in runners.indices where runners[seat].rowBroadcast > broadcast {
      appendRow(of: seat, to: &tick)
    }
    for (place, occupant) in roster.occupants where occupant.cursorBroadcast > broadcast {
      tick.cursors.append(Cursor(place: place, upTo: occupant.readUpTo))
    }
    log.append(after: number, through: log.carriedNumber, to: &tick.events)
    return true
  }

  /// The kept events numbered after `number`, those included that no tick has carried yet, and whether some are kept no
  /// longer.
  package func events(after number: UInt32) -> (events: [Event], gap: Bool) {
    var events: [Event] = []
    log.append(after: number, through: log.lastNumber, to: &events)
    return (events, !log.keepsAll(after: number))
  }

  /// Gives a tick the number and time of the newest one.
  private func stamp(_ tick: inout Tick) {
    tick.number = lastTickNumber
    tick.gameMs = lastTickMs
  }
}
