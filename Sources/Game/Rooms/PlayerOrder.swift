// The order of a game's best players, as ticks tell it. A value that is filled anew after each change of points, and
// keeps its memory.
// Decisions: 148 (docs/decisions).

/// The seats of the best players, and what ticks have told of them.
struct PlayerOrder: Sendable {
  /// The greatest number of people. Behind them, players with equal points share a rank until the board.
  static let peopleMax = 10
  /// The greatest number of seats: practice opponents take no place of a person's.
  static let seatsMax = peopleMax + RoomConfiguration.fillRange.upperBound
  /// The least time between two orders of a large room, by the room's clock: the best of a crowd change all the time.
  private static let largeRoomMs: UInt32 = 2_500

  /// The seats that ticks have told, best first.
  private(set) var seats: [UInt32] = []
  /// The broadcast that carried them; 0 for none in this game.
  private(set) var broadcast: UInt64 = 0
  private var toldAtMs: UInt32 = 0
  /// Whether the order may have changed since.
  private(set) var isStale = false
  private var next: [UInt32] = []

  /// Whether people may be behind the last one.
  func isFull(isWalker: (Int) -> Bool) -> Bool {
    seats.count >= Self.peopleMax && seats.count { !isWalker(Int($0)) } == Self.peopleMax
  }

  mutating func becomeStale() { isStale = true }

  /// Whether a changed order may be told at this time of the room's clock.
  func isDue(atMs gameMs: UInt32, isLargeRoom: Bool) -> Bool {
    isStale && (!isLargeRoom || broadcast == 0 || gameMs >= toldAtMs &+ Self.largeRoomMs)
  }

  /// Takes the present order: `count` seats, of which each comes before those for which `isBefore` holds.
  mutating func gather(
    _ count: Int,
    isRanked: (Int) -> Bool,
    isWalker: (Int) -> Bool,
    isBefore: (Int, Int) -> Bool
  ) {
    next.removeAll(keepingCapacity: true)
    var people = 0
    for seat in 0..<count where isRanked(seat) {
      var index = next.count
      while index > 0, isBefore(seat, Int(next[index - 1])) { index -= 1 }
      if !isWalker(seat) {
        if people < Self.peopleMax {
          people += 1
        } else {
          guard let last = next.lastIndex(where: { !isWalker(Int($0)) }), index <= last else { continue }
          next.remove(at: last)
        }
      }
      next.insert(UInt32(seat), at: index)
    }
    isStale = false
  }

  /// Tells the gathered order with a tick, if it is another one.
  mutating func tell(in tick: inout Tick, broadcast number: UInt64) {
    guard next != seats else { return }
    swap(&seats, &next)
    broadcast = number
    toldAtMs = tick.gameMs
    tick.order.append(contentsOf: seats)
  }

  /// Takes the gathered order without a tick, for everybody gets the whole state. Rooms that have had other ticks go on
  /// alike.
  mutating func skip() {
    swap(&seats, &next)
    broadcast = 0
    toldAtMs = 0
  }
}

// In a journal, with the state of the ticks.
extension PlayerOrder {
  func write(to state: inout RecordWriter) {
    state.bytes.flag(isStale)
    state.bytes.number(broadcast)
    state.bytes.number(toldAtMs)
    state.bytes.number(seats.count)
    for seat in seats { state.bytes.number(seat) }
  }

  init(capacity: Int, broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault) {
    isStale = try state.bytes.flag()
    broadcast = try state.bytes.number(in: 0...broadcastMax, "number of a broadcast")
    toldAtMs = try state.bytes.number(in: 0...UInt32.max, "time of an order")
    for _ in 0..<(try state.bytes.count(max: Self.seatsMax, "number of seats")) {
      let seat = try state.bytes.number(in: 0...UInt32(capacity) - 1, "seat")
      try state.require(!seats.contains(seat), "order of players")
      seats.append(seat)
    }
  }
}
