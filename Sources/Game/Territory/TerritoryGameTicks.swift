// The ticks and the journal of territory mode. Part of `TerritoryGame`.

extension TerritoryGame {
  var hasChanges: Bool { isGroundNew || ground?.grid.hasChanges == true }

  mutating func carry(into tick: inout Tick, broadcast: UInt64) {
    if isGroundNew {
      isGroundNew = false
      groundBroadcast = broadcast
      tick.arena = knownPlan
    }
    ground?.grid.carry(into: &tick, broadcast: broadcast)
  }

  func append(after broadcast: UInt64, to tick: inout Tick) {
    if groundBroadcast > broadcast { tick.arena = knownPlan }
    ground?.grid.append(after: broadcast, to: &tick)
  }

  mutating func forgetChanges() {
    isGroundNew = false
    ground?.grid.forgetChanges()
  }

  /// The plan, with the middle of the newest game if known.
  var knownPlan: ArenaPlan {
    ground.map { plan.centered(on: $0.arena.center) } ?? plan
  }
}

// In a journal.
extension TerritoryGame {
  func write(to state: inout RecordWriter) {
    state.bytes.flag(ground != nil)
    guard let ground else { return }
    state.coordinate(ground.arena.center)
    ground.grid.write(to: &state)
    for seat in state.places(taken: paths.count, of: seats) {
      let path = seat < paths.count ? paths[seat] : nil
      state.bytes.flag(path != nil)
      path?.write(to: &state)
    }
  }

  mutating func read(from state: inout RecordReader) throws(JournalFault) {
    guard try state.bytes.flag() else { return }
    let arena = Arena(plan, around: try state.coordinateOnMap())
    ground = Ground(arena: arena, grid: try CellGrid(side: plan.cells, seats: seats, from: &state))
    for seat in try state.places(of: seats) where try state.bytes.flag() {
      makeSeats(seat + 1)
      paths[seat] = try OpenPath(in: arena, from: &state)
    }
  }

  func writeTicks(to state: inout RecordWriter) {
    guard let ground else { return }
    state.bytes.flag(isGroundNew)
    state.bytes.number(groundBroadcast)
    ground.grid.writeTicks(to: &state)
  }

  mutating func readTicks(broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault) {
    guard ground != nil else { return }
    isGroundNew = try state.bytes.flag()
    groundBroadcast = try state.bytes.number(in: 0...broadcastMax, "number of a broadcast")
    try ground?.grid.readTicks(broadcastMax: broadcastMax, from: &state)
  }
}
