// The seats of a game, in a journal: first the state that the rules use, then that of the ticks. Part of `RoomGame`.
// The seats' players, and the order of points, are written earlier in the state of the room.

extension RoomGame {
  func write(to state: inout RecordWriter) {
    let untaken = Runner(speedMaxMmPerS: speedMaxMmPerS)
    for seat in state.places(taken: runners.count, of: capacity) {
      if seat < runners.count {
        runners[seat].write(footprints(of: seat), to: &state)
      } else {
        untaken.write(FootprintScoring(), to: &state)
      }
    }
    state.past(restartedAt)
    if restartedAt != nil { state.bytes.number(downtimeMs) }
    board.write(to: &state)
    mode.write(to: &state)
    walkers?.write(to: &state)
  }

  /// Fills a new game, of a room with this many known seats.
  mutating func read(
    in configuration: RoomConfiguration,
    seatsTaken: Int,
    from state: inout RecordReader
  ) throws(JournalFault) {
    makeSeat(seatsTaken - 1)
    for seat in try state.places(of: capacity) {
      var footprints = FootprintScoring()
      let runner = try Runner(speedMaxMmPerS: speedMaxMmPerS, &footprints, from: &state)
      guard !runner.isAsMade || !footprints.isAsMade else { continue }
      makeSeat(seat)
      runners[seat] = runner
      setFootprints(footprints, of: seat)
    }
    if let start = try state.pastIfAny() {
      noteDowntime(.milliseconds(try state.tally("downtime")), until: start)
    }
    board = try [BoardRow](in: configuration, from: &state)
    try mode.read(from: &state)
    makeSeat(mode.seatsTaken - 1)
    try walkers?.read(runners, from: &state)
  }

  /// Checks that seats match their players.
  func check(in phase: Phase, _ roster: Roster, _ state: RecordReader) throws(JournalFault) {
    var players: Set<PlayerID> = []
    for seat in runners.indices {
      let player = runners[seat].id
      if let player {
        try state.require(players.insert(player).inserted, "player in two seats")
        try state.require(!player.isWalker || walkers != nil && roster[.seat(seat)] == nil, "practice opponent")
      }
      switch phase {
      case .lobby: try state.require(player == nil, "player of a game in the lobby")
      case .playing, .ended:
        try state.require(roster[.seat(seat)].map { $0.id == player } ?? true, "player in another's seat")
      }
    }
  }

  /// Writes the broadcast that carried the row of each seat.
  func writeRows(to state: inout RecordWriter) {
    for seat in 0..<capacity {
      state.bytes.number(seat < runners.count ? runners[seat].rowBroadcast : 0)
    }
  }

  mutating func readRows(broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault) {
    makeSeat(changedSeats.last ?? -1)
    for seat in 0..<capacity {
      let broadcast = try state.bytes.number(in: 0...broadcastMax, "number of a broadcast")
      guard broadcast > 0 else { continue }
      makeSeat(seat)
      runners[seat].rowBroadcast = broadcast
    }
  }
}
