// The state of a room in a journal: first what the rules use, then what the ticks use. Functions over a `Room`. Every
// stored property is written, and the reader checks everything that the rules rely on.

enum RoomStateCoding {
  static func writeGame(of room: borrowing Room, to state: inout RecordWriter) {
    room.phase.write(to: &state)
    state.bytes.number(room.gameNumber)
    state.past(room.startedAt)
    state.past(room.clock.zero)
    room.deadlines.write(to: &state)
    state.bytes.number(room.game.pointsOrder)
    room.log.write(to: &state)
    state.bytes.number(room.startEvent)
    room.roster.write(to: &state)
    room.game.write(to: &state)
  }

  /// The state that the rules use, without texts. Times are written as distances from `moment`.
  static func gameBytes(of room: borrowing Room, at moment: Instant) -> [UInt8] {
    var state = RecordWriter(hasTexts: false)
    state.latest = moment
    writeGame(of: room, to: &state)
    return state.bytes.bytes
  }

  /// See `Room.fingerprint`.
  static func fingerprint(of room: borrowing Room) -> UInt64 {
    var state = RecordWriter(hasTexts: false)
    room.configuration.write(to: &state)
    state.bytes.number(room.seed)
    state.bytes.number(room.latest.milliseconds)
    state.latest = room.latest
    writeGame(of: room, to: &state)
    return FNV1a.hash64(state.bytes.bytes)
  }

  static func readGame(into room: inout Room, from state: inout RecordReader) throws(JournalFault) {
    room.phase = try Phase(from: &state)
    room.gameNumber = try state.bytes.number(
      in: (room.phase == .lobby ? 0 : 1)...RoomNumbers.gameMax,
      "number of a game"
    )
    room.startedAt = try state.past()
    room.clock.zero = try state.past()
    room.deadlines = try Deadlines(longest: room.configuration.duration, from: &state)
    room.game.pointsOrder = UInt64(try state.tally("order of points"))
    try room.log.read(in: room.configuration, numberMax: RoomNumbers.eventMax, from: &state)
    room.startEvent = try state.eventNumber()
    try room.roster.read(from: &state)
    try room.game.read(in: room.configuration, seatsTaken: room.roster.seats.count, from: &state)
    try state.require(room.hostSeat.map { room.roster[.seat($0)] != nil } ?? (room.roster.seatedCount == 0), "host")
    try room.game.check(in: room.phase, room.roster, state)
    room.nextDeadline = room.earliest?.at
    try state.require(room.deadlines.timeUpAt.map { $0 >= room.startedAt } ?? true, "end of a game")
    try room.deadlines.check(in: room.phase, room.roster, state)
    try state.require(room.isAtEndOfNumbers || room.nextDeadline.map { $0 > room.latest } ?? true, "deadline")
  }

  static func writeTicks(of room: borrowing Room, to state: inout RecordWriter) {
    state.bytes.number(room.broadcastNumber)
    room.clock.writeTicks(to: &state)
    room.log.writeTicks(to: &state)
    room.game.changedSeats.write(to: &state)
    room.roster.movedCursors.write(to: &state)
    room.game.writeRows(to: &state)
    for (_, occupant) in room.roster.occupants {
      state.bytes.number(occupant.cursorBroadcast)
    }
    room.game.mode.writeTicks(to: &state)
    room.game.order.write(to: &state)
  }

  static func readTicks(into room: inout Room, from state: inout RecordReader) throws(JournalFault) {
    room.broadcastNumber = UInt64(try state.tally("number of a broadcast"))
    try room.clock.readTicks(from: &state)
    try room.log.readTicks(in: room.configuration, from: &state)
    try room.game.changedSeats.read(below: room.configuration.capacity, from: &state)
    try room.roster.movedCursors.read(below: room.roster.slotCount, from: &state)
    try room.game.readRows(broadcastMax: room.broadcastNumber, from: &state)
    for place in room.roster.occupants.map(\.place) {
      room.roster[place]?.cursorBroadcast = try state.bytes.number(
        in: 0...room.broadcastNumber,
        "number of a broadcast"
      )
    }
    try room.game.mode.readTicks(broadcastMax: room.broadcastNumber, from: &state)
    guard state.rulesVersion >= 6 else { return room.game.order.becomeStale() }
    let capacity = room.configuration.capacity
    room.game.order = try PlayerOrder(capacity: capacity, broadcastMax: room.broadcastNumber, from: &state)
  }
}
