// The practice opponents of a room: the players that the server itself walks with. A value, owned by the room's game.
// Nothing of their ways is kept: the room's seed and clock give it again.

/// The practice opponents of a room's newest game.
struct Walkers: Sendable {
  private let fill: Int
  private let paceMmPerS: Int64
  /// The seats of the newest game's, ascending; none in the lobby.
  private(set) var seats: [Int] = []
  /// The number of the game that they sat down in.
  private var game: UInt32 = 0
  /// The place around which they walk; nil until the game has one.
  private(set) var origin: Coordinate?
  /// The seconds of the game on the room's clock that they have seen, and those since the origin is known.
  private var beats: Int64 = 0
  private var steps: Int64 = 0

  /// They move once a second.
  private static let beatMs: Int64 = 1_000

  /// Nil in a room without them.
  init?(_ configuration: RoomConfiguration) {
    guard configuration.fill > 0 else { return nil }
    fill = configuration.fill
    // Far enough below the greatest speed that the rules against forged positions find nothing.
    paceMmPerS = min(configuration.fillStrength.paceMmPerS, Int64(configuration.speedMaxMmPerS) * 3 / 4)
  }

  mutating func reset() {
    seats = []
    game = 0
    origin = nil
    beats = 0
    steps = 0
  }

  mutating func sitDown(in seat: Int, game: UInt32) {
    seats.append(seat)
    self.game = game
  }

  /// The time at which they move next; nil outside a game, and while its board waits for late fixes.
  func beatAt(_ clock: RoomClock, _ deadlines: Deadlines) -> Instant? {
    guard !seats.isEmpty, deadlines.endsAt != nil, deadlines.boardAt == nil else { return nil }
    return Instant(milliseconds: clock.zero.milliseconds + (beats + 1) * Self.beatMs)
  }

  /// A second has passed; `origin` is the place around which they would walk.
  mutating func pass(around origin: Coordinate?) {
    beats += 1
    if self.origin == nil { self.origin = origin } else { steps += 1 }
  }

  /// The present walk of the one in a seat; nil before the origin is known.
  func walk(inSeat seat: Int, seed: UInt64) -> Walk? {
    origin.map { Walk(seat: seat, game: game, seed: seed, origin: $0, distanceMm: steps * paceMmPerS) }
  }
}

// In a journal: their seats follow from the players of the game.
extension Walkers {
  func write(to state: inout RecordWriter) {
    state.bytes.number(game)
    state.bytes.number(beats)
    state.bytes.number(steps)
    state.bytes.flag(origin != nil)
    if let origin { state.coordinate(origin) }
  }

  mutating func read(_ runners: ContiguousArray<Runner>, from state: inout RecordReader) throws(JournalFault) {
    let beatsMax = Int64(RoomConfiguration.durationRangeS.upperBound)
    game = try state.bytes.number(in: 0...RoomNumbers.gameMax, "number of a game")
    beats = try state.bytes.number(in: 0...beatsMax, "seconds of a game")
    steps = try state.bytes.number(in: 0...beats, "steps of a walk")
    origin = try state.bytes.flag() ? try state.coordinateOnMap() : nil
    for seat in runners.indices where runners[seat].id?.isWalker == true {
      try state.require(runners[seat].id == .walker(inSeat: seat), "practice opponent")
      seats.append(seat)
    }
    try state.require(seats.count <= fill, "number of practice opponents")
  }
}
