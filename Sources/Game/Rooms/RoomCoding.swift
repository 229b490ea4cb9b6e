// A room's whole state, in a journal: first what the rules go by, then what ticks have carried, for a journal need not have
// every tick. Part of `Room`. Every stored property stands here; what is read back is held to all that the rules take for
// granted, so that no damaged state can make them trap.

extension Room {
  /// Numbers of events stay below this in what is read back, so that they can't run out behind it.
  static let eventNumberMax = UInt32.max - (1 << 24)
  /// Likewise those of games.
  static let gameNumberMax = UInt32.max / 2

  /// Writes everything.
  func write(to state: inout RecordWriter) {
    precondition(!isClosed, "a closed room is not kept")
    configuration.write(to: &state)
    state.bytes.number(seed)
    state.bytes.number(latest.milliseconds)
    state.latest = latest
    writeGame(to: &state)
    // What ticks have carried is nothing to the rules, nor to a game that has yet to begin.
    if !state.isBeginning { writeTicks(to: &state) }
  }

  /// Reads what `write` has written; `time` is when it was written.
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

  /// Whether the rules go by the same here and there: all but texts, the time of the newest tick and what ticks carried.
  func isSameGame(as other: Room) -> Bool {
    // Times are written as distances from a moment, so both take the same.
    let moment = max(latest, other.latest)
    return configuration == other.configuration && seed == other.seed
      && gameBytes(at: moment) == other.gameBytes(at: moment)
  }

  /// The same in one number: where each input came at the time at which it came, two rooms have the same.
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
    switch phase {
    case .lobby: state.bytes.byte(0)
    case .playing: state.bytes.byte(1)
    case .ended: state.bytes.byte(2)
    }
    state.bytes.number(gameNumber)
    state.past(startedAt)
    state.past(clockZero)
    state.future(endsAt)
    state.future(lobbyAt)
    state.past(desertedSince)
    state.bytes.number(pointsOrder)
    log.write(to: &state)
    state.bytes.number(startEvent)
    roster.write(to: &state)
    state.bytes.number(hostSeat.map { $0 + 1 } ?? 0)
    let untaken = Runner(speedMaxMmPerS: configuration.speedMaxMmPerS)
    for seat in state.places(taken: runners.count, of: configuration.capacity) {
      (seat < runners.count ? runners[seat] : untaken).write(to: &state)
    }
    board.write(to: &state)
    territory?.write(to: &state)
    landGame?.write(to: &state)
  }

  private mutating func readGame(from state: inout RecordReader) throws(JournalFault) {
    switch try state.bytes.byte() {
    case 0: phase = .lobby
    case 1: phase = .playing
    case 2: phase = .ended
    default: throw state.fault(.impossible("phase"))
    }
    gameNumber = try state.bytes.number(in: (phase == .lobby ? 0 : 1)...Self.gameNumberMax, "number of a game")
    startedAt = try state.past()
    clockZero = try state.past()
    endsAt = try state.futureIfAny(within: configuration.duration.wholeMilliseconds)
    lobbyAt = try state.futureIfAny(within: Self.boardTime.wholeMilliseconds)
    desertedSince = try state.pastIfAny()
    pointsOrder = UInt64(try state.tally("order of points"))
    try log.read(in: configuration, numberMax: Self.eventNumberMax, from: &state)
    startEvent = try state.eventNumber()
    try roster.read(from: &state)
    hostSeat = try state.bytes.number(in: 0...configuration.capacity, "host") - 1
    if hostSeat == -1 { hostSeat = nil }
    makeSeat(roster.seats.count - 1)
    for seat in try state.places(of: configuration.capacity) {
      let runner = try Runner(speedMaxMmPerS: configuration.speedMaxMmPerS, from: &state)
      guard !runner.isAsMade else { continue }
      makeSeat(seat)
      runners[seat] = runner
    }
    board = try [BoardRow](in: configuration, from: &state)
    try territory?.read(from: &state)
    try landGame?.read(longest: configuration.duration, from: &state)
    makeSeat(max(territory?.seatsTaken ?? 0, landGame?.seatsTaken ?? 0) - 1)
    try checkPlaces(state)
    nextDeadline = earliestDeadline()
    try checkTimes(state)
  }

  /// Seats and who plays in them belong together.
  private func checkPlaces(_ state: RecordReader) throws(JournalFault) {
    try state.require(hostSeat.map { roster[.seat($0)] != nil } ?? (roster.seatedCount == 0), "host")
    var players: Set<PlayerID> = []
    for seat in runners.indices {
      let player = runners[seat].id
      if let player {
        try state.require(players.insert(player).inserted, "player in two seats")
      }
      switch phase {
      case .lobby: try state.require(player == nil, "player of a game in the lobby")
      case .playing, .ended:
        try state.require(roster[.seat(seat)].map { $0.id == player } ?? true, "player in another's seat")
      }
    }
  }

  /// What time will do lies ahead, and a room that is deserted has nobody who would outlast it.
  private func checkTimes(_ state: RecordReader) throws(JournalFault) {
    try state.require((phase == .playing) == (endsAt != nil), "end of a game")
    try state.require((phase == .ended) == (lobbyAt != nil), "way to the lobby")
    try state.require((desertedSince == nil) == roster.isAnyoneConnected, "desertion")
    if let desertedSince {
      for (_, occupant) in roster.occupants {
        try state.require(occupant.heldSince.map { $0 <= desertedSince } ?? false, "hold")
      }
    }
    try state.require(isAtEndOfNumbers || nextDeadline.map { $0 > latest } ?? true, "deadline")
  }

  private func writeTicks(to state: inout RecordWriter) {
    state.bytes.number(broadcastNumber)
    state.bytes.number(lastTickNumber)
    state.bytes.number(lastTickMs)
    log.writeTicks(to: &state)
    changedSeats.write(to: &state)
    movedCursors.write(to: &state)
    for seat in 0..<configuration.capacity {
      state.bytes.number(seat < runners.count ? runners[seat].rowBroadcast : 0)
    }
    for (_, occupant) in roster.occupants {
      state.bytes.number(occupant.cursorBroadcast)
    }
    territory?.writeTicks(to: &state)
  }

  private mutating func readTicks(from state: inout RecordReader) throws(JournalFault) {
    broadcastNumber = UInt64(try state.tally("number of a broadcast"))
    lastTickNumber = try state.bytes.number(in: 0...UInt32.max, "number of a tick")
    lastTickMs = try state.bytes.number(in: 0...UInt32.max, "time of a tick")
    try log.readTicks(in: configuration, from: &state)
    try changedSeats.read(below: configuration.capacity, from: &state)
    try movedCursors.read(below: roster.slotCount, from: &state)
    makeSeat(changedSeats.last ?? -1)
    for seat in 0..<configuration.capacity {
      let broadcast = try state.bytes.number(in: 0...broadcastNumber, "number of a broadcast")
      guard broadcast > 0 else { continue }
      makeSeat(seat)
      runners[seat].rowBroadcast = broadcast
    }
    for place in roster.occupants.map(\.place) {
      roster[place]?.cursorBroadcast = try state.bytes.number(in: 0...broadcastNumber, "number of a broadcast")
    }
    try territory?.readTicks(broadcastMax: broadcastNumber, from: &state)
  }
}
