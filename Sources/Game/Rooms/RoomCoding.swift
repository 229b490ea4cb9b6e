// A room's whole state, in a journal: first the state that the rules use, then that of the ticks, since a journal need
// not have every tick. Part of `Room`. Every stored property is written. The reader checks everything that the rules
// rely on, so that no damaged state can make them trap.

extension Room {
  /// Writes the whole state.
  func write(to state: inout RecordWriter) {
    precondition(!isClosed, "a closed room is not persisted")
    configuration.write(to: &state)
    state.bytes.number(seed)
    state.bytes.number(latest.milliseconds)
    state.latest = latest
    writeGame(to: &state)
    // Neither the rules nor a game that has yet to begin depend on the state of the ticks.
    if !state.isBeginning { writeTicks(to: &state) }
  }

  /// Reads the output of `write`; `time` is the time of writing.
  init(from state: inout RecordReader, at time: Instant) throws(JournalFault) {
    let configuration = try RoomConfiguration(from: &state)
    let seed = try state.bytes.number()
    let latest = Instant(milliseconds: try state.tally("time of a room"))
    try state.require(latest <= time, "time of a room")
    state.latest = latest
    self.init(configuration, seed: seed, at: latest)
    try readGame(from: &state)
    if !state.isBeginning { try readTicks(from: &state) }
  }

  /// Whether both rooms are the same for the rules: everything but texts, the time of the newest tick and the state of
  /// the ticks.
  func isSameGame(as other: Room) -> Bool {
    // Times are written as distances from a moment, so both use the same one.
    let moment = max(latest, other.latest)
    return configuration == other.configuration && seed == other.seed
      && gameBytes(at: moment) == other.gameBytes(at: moment)
  }

  /// The same state as one number: two rooms that took each input at the same time have the same.
  var fingerprint: UInt64 {
    var state = RecordWriter(hasTexts: false)
    configuration.write(to: &state)
    state.bytes.number(seed)
    state.bytes.number(latest.milliseconds)
    state.latest = latest
    writeGame(to: &state)
    return FNV1a.hash64(state.bytes.bytes)
  }

  private func gameBytes(at moment: Instant) -> [UInt8] {
    var state = RecordWriter(hasTexts: false)
    state.latest = moment
    writeGame(to: &state)
    return state.bytes.bytes
  }

  private func writeGame(to state: inout RecordWriter) {
    phase.write(to: &state)
    state.bytes.number(gameNumber)
    state.past(startedAt)
    state.past(clock.zero)
    deadlines.write(to: &state)
    state.bytes.number(game.pointsOrder)
    log.write(to: &state)
    state.bytes.number(startEvent)
    roster.write(to: &state)
    game.write(to: &state)
  }

  private mutating func readGame(from state: inout RecordReader) throws(JournalFault) {
    phase = try Phase(from: &state)
    gameNumber = try state.bytes.number(in: (phase == .lobby ? 0 : 1)...RoomNumbers.gameMax, "number of a game")
    startedAt = try state.past()
    clock.zero = try state.past()
    deadlines = try Deadlines(longest: configuration.duration, from: &state)
    game.pointsOrder = UInt64(try state.tally("order of points"))
    try log.read(in: configuration, numberMax: RoomNumbers.eventMax, from: &state)
    startEvent = try state.eventNumber()
    try roster.read(from: &state)
    try game.read(in: configuration, seatsTaken: roster.seats.count, from: &state)
    try state.require(hostSeat.map { roster[.seat($0)] != nil } ?? (roster.seatedCount == 0), "host")
    try game.check(in: phase, roster, state)
    nextDeadline = earliest?.at
    try deadlines.check(in: phase, roster, state)
    try state.require(isAtEndOfNumbers || nextDeadline.map { $0 > latest } ?? true, "deadline")
  }

  private func writeTicks(to state: inout RecordWriter) {
    state.bytes.number(broadcastNumber)
    clock.writeTicks(to: &state)
    log.writeTicks(to: &state)
    game.changedSeats.write(to: &state)
    roster.movedCursors.write(to: &state)
    game.writeRows(to: &state)
    for (_, occupant) in roster.occupants {
      state.bytes.number(occupant.cursorBroadcast)
    }
    game.mode.writeTicks(to: &state)
  }

  private mutating func readTicks(from state: inout RecordReader) throws(JournalFault) {
    broadcastNumber = UInt64(try state.tally("number of a broadcast"))
    try clock.readTicks(from: &state)
    try log.readTicks(in: configuration, from: &state)
    try game.changedSeats.read(below: configuration.capacity, from: &state)
    try roster.movedCursors.read(below: roster.slotCount, from: &state)
    try game.readRows(broadcastMax: broadcastNumber, from: &state)
    for place in roster.occupants.map(\.place) {
      roster[place]?.cursorBroadcast = try state.bytes.number(in: 0...broadcastNumber, "number of a broadcast")
    }
    try game.mode.readTicks(broadcastMax: broadcastNumber, from: &state)
  }
}
