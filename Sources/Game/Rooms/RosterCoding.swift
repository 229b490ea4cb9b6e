// The members of a room, in a journal: every slot, then the chat buckets of players who left, then the host and the
// barred players. The broadcast that carried a cursor is written with the room's ticks. The reader checks that the
// roster is possible.

extension Roster {
  func write(to state: inout RecordWriter) {
    state.bytes.number(arrivals)
    Self.write(seats, of: capacity, to: &state)
    Self.write(watchers, of: spectatorsMax, to: &state)
    state.bytes.number(departed.count)
    for (id, chatBucket) in departed {
      state.id(id)
      chatBucket.write(to: &state)
    }
    // A number beyond the seats says that barred players follow, that the room is locked, or both. A room without
    // either is written as it was before there were bars and locks: a kept game of those days is still the same game.
    let host = hostSeat.map { $0 + 1 } ?? 0
    let entry = (barred.isEmpty ? 0 : Self.barredBit) | (isLocked ? Self.lockedBit : 0)
    state.bytes.number(host + entry * (capacity + 1))
    guard !barred.isEmpty else { return }
    state.bytes.number(barred.count)
    for id in barred { state.id(id) }
  }

  private static let barredBit = 1
  private static let lockedBit = 2

  private static func write(_ places: ContiguousArray<Occupant?>, of count: Int, to state: inout RecordWriter) {
    for index in state.places(taken: places.count, of: count) {
      let occupant = index < places.count ? places[index] : nil
      state.bytes.flag(occupant != nil)
      occupant?.write(to: &state)
    }
  }

  /// Fills an empty roster.
  mutating func read(from state: inout RecordReader) throws(JournalFault) {
    arrivals = UInt64(try state.tally("number of arrivals"))
    var ids: Set<PlayerID> = []
    for seat in try state.places(of: capacity) where try state.bytes.flag() {
      let occupant = try Self.occupant(arrivals, &ids, from: &state)
      try state.require(!occupant.isWatching, "seat of a player who watches alone")
      self[.seat(seat)] = occupant
    }
    for number in try state.places(of: spectatorsMax) where try state.bytes.flag() {
      self[.spectator(number)] = try Self.occupant(arrivals, &ids, from: &state)
    }
    for _ in 0..<(try state.bytes.count(max: Self.departedMax, "number of departed")) {
      let id = try state.id()
      departed.append((id, try TokenBucket(ChatRules.rate, from: &state)))
    }
    let number = try state.bytes.number(in: 0...4 * capacity + 3, "host") as Int
    let (entry, host) = number.quotientAndRemainder(dividingBy: capacity + 1)
    isLocked = entry & Self.lockedBit != 0
    if entry & Self.barredBit != 0 {
      let count = try state.bytes.count(max: Self.barredMax, "number of barred players")
      try state.require(count > 0, "number of barred players")
      for _ in 0..<count { _ = bar(try state.id()) }
      try state.require(barred.count == count, "player barred twice")
    }
    hostSeat = host == 0 ? nil : host - 1
  }

  private static func occupant(
    _ arrivals: UInt64,
    _ ids: inout Set<PlayerID>,
    from state: inout RecordReader
  ) throws(JournalFault) -> Occupant {
    let occupant = try Occupant(arrivals: arrivals, from: &state)
    try state.require(ids.insert(occupant.id).inserted, "player in two places")
    return occupant
  }
}

extension Occupant {
  fileprivate func write(to state: inout RecordWriter) {
    state.id(id)
    state.text(nickname, .shown, by: id)
    state.bytes.number(arrival)
    state.past(enteredAt)
    state.past(heldSince)
    state.bytes.number(joinedEvent)
    state.bytes.number(readUpTo)
    chatBucket.write(to: &state)
    state.bytes.flag(isWatching)
  }

  fileprivate init(arrivals: UInt64, from state: inout RecordReader) throws(JournalFault) {
    id = try state.id()
    nickname = try state.text(of: id)
    arrival = try state.bytes.number(in: 0...arrivals, "arrival")
    enteredAt = try state.past()
    heldSince = try state.pastIfAny()
    joinedEvent = try state.eventNumber()
    readUpTo = try state.eventNumber()
    chatBucket = try TokenBucket(ChatRules.rate, from: &state)
    isWatching = state.rulesVersion >= 7 ? try state.bytes.flag() : false
  }
}
