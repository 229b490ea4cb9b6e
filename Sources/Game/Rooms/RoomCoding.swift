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
    RoomStateCoding.writeGame(of: self, to: &state)
    // Neither the rules nor a game that has yet to begin depend on the state of the ticks.
    if !state.isBeginning { RoomStateCoding.writeTicks(of: self, to: &state) }
  }

  /// Reads the output of `write`; `time` is the time of writing.
  init(from state: inout RecordReader, at time: Instant) throws(JournalFault) {
    let configuration = try RoomConfiguration(from: &state)
    let seed = try state.bytes.number()
    let latest = Instant(milliseconds: try state.tally("time of a room"))
    try state.require(latest <= time, "time of a room")
    state.latest = latest
    self.init(configuration, seed: seed, at: latest)
    try RoomStateCoding.readGame(into: &self, from: &state)
    if !state.isBeginning { try RoomStateCoding.readTicks(into: &self, from: &state) }
  }

  /// Whether both rooms are the same for the rules: everything but texts, the time of the newest tick and the state of
  /// the ticks.
  func isSameGame(as other: Room) -> Bool {
    // Times are written as distances from a moment, so both use the same one.
    let moment = max(latest, other.latest)
    return configuration == other.configuration && seed == other.seed
      && RoomStateCoding.gameBytes(of: self, at: moment) == RoomStateCoding.gameBytes(of: other, at: moment)
  }

  /// The same state as one number: two rooms that took each input at the same time have the same.
  var fingerprint: UInt64 { RoomStateCoding.fingerprint(of: self) }
}
