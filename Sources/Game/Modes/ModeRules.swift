// What a room asks of the mode that is played in it. The game of each mode is a value with these methods. The protocol
// is never a type by itself: `ModeGame` binds each call when it is compiled.

/// A fix that counts: the player is believed to have gone there.
struct CountedFix: Sendable {
  let seat: Int
  let player: PlayerID?
  let isHost: Bool
  /// Where the player was before; nil where that is not known.
  let before: Coordinate?
  let sighting: Sighting
}

/// What a fix has scored.
enum Score: Hashable, Sendable {
  /// Nobody's points have changed.
  case nothing
  /// The player's points alone have changed; rows tell it.
  case points
  /// Something that all members are told of. The game ends with it when there is nothing left to score for anybody.
  case captured(Capture, endsGame: Bool)
}

/// A game by the rules of one mode. It knows seats, and nothing of members, clocks or ticks that have been.
protocol ModeRules: Sendable {
  // The course of a game.

  /// Up to this many seats have been taken.
  mutating func makeSeats(_ count: Int)
  /// Beyond these seats nothing is known.
  var seatsTaken: Int { get }
  /// A game starts.
  mutating func start()
  /// There was no game: nobody has anything.
  mutating func clear()
  /// The game is over; what everybody has stays.
  mutating func end()
  /// The game's clock stood still for so long.
  mutating func moveClocks(by stoodStill: Duration)

  // What players do.

  /// Takes a fix that counts.
  mutating func take(_ fix: CountedFix, at now: Instant, into outputs: inout [Effect]) -> Score
  /// A fix of a seat's player does not count: it was refused and the player is suspect, or they are somewhere, and
  /// nobody believes that they went there.
  mutating func disbelieve(_ seat: Int, isRefused: Bool, into outputs: inout [Effect])
  /// A seat's player gives up what they have begun; whether there was anything.
  mutating func giveUp(_ seat: Int, at now: Instant, into outputs: inout [Effect]) -> Bool
  /// A seat's player has left.
  mutating func leave(_ seat: Int)
  /// Where a seat's player has been is forgotten; their points stay.
  mutating func forgetPlaces(of seat: Int)

  // Points and the board.

  func points(of seat: Int) -> UInt32
  /// Takes one of the seats whose points a capture has changed, beside that of the fix.
  mutating func popChangedSeat() -> Int?
  /// Of two seats with the same points the one with less of this is before the other.
  func tieTimeMs(of seat: Int) -> Int64
  /// A game alone has reached its aim.
  var isCompleted: Bool { get }
  /// How long a completed game alone took by the mode's own rules; nil for as long as the player was there.
  func completionMs(of seat: Int) -> Int64?

  // Ticks: all of it but positions and points.

  /// Something waits for a tick.
  var hasChanges: Bool { get }
  /// Moves what has changed into a tick.
  mutating func carry(into tick: inout Tick, broadcast: UInt64)
  /// Appends what later broadcasts have carried, as it is now.
  func append(after broadcast: UInt64, to tick: inout Tick)
  /// Nothing that waits for a tick is told by one.
  mutating func forgetChanges()

  // Journals: all of it but footprints, which stand among each seat's own.

  func write(to state: inout RecordWriter)
  /// Fills what was just made, of a game that lasts at most so long.
  mutating func read(longest: Duration, from state: inout RecordReader) throws(JournalFault)
  func writeTicks(to state: inout RecordWriter)
  mutating func readTicks(broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault)
}

// What a mode without the like does.
extension ModeRules {
  mutating func start() { clear() }
  mutating func end() {}
  mutating func moveClocks(by stoodStill: Duration) {}
  mutating func disbelieve(_ seat: Int, isRefused: Bool, into outputs: inout [Effect]) {}
  mutating func giveUp(_ seat: Int, at now: Instant, into outputs: inout [Effect]) -> Bool { false }
  mutating func leave(_ seat: Int) {}
  mutating func forgetPlaces(of seat: Int) { leave(seat) }
  mutating func popChangedSeat() -> Int? { nil }
  func tieTimeMs(of seat: Int) -> Int64 { 0 }
  var isCompleted: Bool { true }
  func completionMs(of seat: Int) -> Int64? { nil }
  var hasChanges: Bool { false }
  mutating func carry(into tick: inout Tick, broadcast: UInt64) {}
  func append(after broadcast: UInt64, to tick: inout Tick) {}
  mutating func forgetChanges() {}
  func writeTicks(to state: inout RecordWriter) {}
  mutating func readTicks(broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault) {}
}
