// The requirements on the game of a mode. Each mode's game is a value with these methods. The room's `RoomGame` owns it
// and changes it in place.
// Decisions: 100 (docs/decisions).

/// A fix that counts: the player is believed to have gone there.
struct CountedFix: Sendable {
  let seat: Int
  let player: PlayerID?
  let isHost: Bool
  /// Whether the phone could have sent it over 30 s before.
  let isWithheld: Bool
  /// The player's previous position; nil where it is unknown.
  let before: Coordinate?
  let sample: PositionSample
}

/// The score of a fix.
enum Score: Hashable, Sendable {
  /// No points have changed.
  case nothing
  /// Only the player's points have changed; rows carry them.
  case points
  /// A capture, which all members are notified of. The game ends with it when nobody can score any more.
  case captured(Capture, endsGame: Bool)
}

/// A game by the rules of one mode. It knows seats, but not members, clocks or past ticks.
protocol ModeRules: Sendable {
  // The course of a game.

  /// Adds seats up to this number.
  mutating func makeSeats(_ count: Int)
  /// The number of known seats.
  var seatsTaken: Int { get }
  /// A game starts.
  mutating func start()
  /// Clears the game: nobody has anything.
  mutating func clear()
  /// Ends the game; everybody keeps what they have.
  mutating func end()

  // Players' actions.

  /// Takes a fix that counts.
  mutating func take(_ fix: CountedFix, into outputs: inout [Effect]) -> Score
  /// Handles a fix of a seat's player that does not count: either it was refused and the player is suspect, or the way
  /// to its position is not believed.
  mutating func disbelieve(_ seat: Int, isRefused: Bool, into outputs: inout [Effect])
  /// Gives up what a seat's player has begun; false if there was nothing.
  mutating func giveUp(_ seat: Int, at now: Instant, into outputs: inout [Effect]) -> Bool
  /// Handles a seat's player who has left.
  mutating func leave(_ seat: Int)
  /// Forgets where a seat's player has been; their points stay.
  mutating func forgetPlaces(of seat: Int)

  // Practice opponents.

  /// The place around which practice opponents walk; nil while the game has none. `first` is where a player is.
  func walkingOrigin(near first: Coordinate?) -> Coordinate?
  /// The place where a practice opponent's walk has led.
  func place(of walk: Walk) -> Coordinate

  // Points and the board.

  func points(of seat: Int) -> UInt32
  /// Takes out a seat whose points a capture has changed, other than the seat of the fix.
  mutating func popChangedSeat() -> Int?
  /// The tie-break between seats with the same points: the smaller value comes first.
  func tieTimeMs(of seat: Int) -> Int64
  /// Whether a solo game has reached its aim.
  var isCompleted: Bool { get }
  /// The time of a completed solo game by the mode's own rules; nil for the player's time in the game.
  func completionMs(of seat: Int) -> Int64?

  // Ticks: everything but positions and points.

  /// Whether changes wait for a tick.
  var hasChanges: Bool { get }
  /// Moves the changes into a tick.
  mutating func carry(into tick: inout Tick, broadcast: UInt64)
  /// Appends the current state of everything that later broadcasts have carried.
  func append(after broadcast: UInt64, to tick: inout Tick)
  /// Drops the changes: no tick carries them.
  mutating func forgetChanges()

  // Journals: everything but footprints, which are written with each seat.

  func write(to state: inout RecordWriter)
  /// Fills a new game.
  mutating func read(from state: inout RecordReader) throws(JournalFault)
  func writeTicks(to state: inout RecordWriter)
  mutating func readTicks(broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault)
}

// The defaults for modes without such a feature.
extension ModeRules {
  mutating func start() { clear() }
  mutating func end() {}
  mutating func disbelieve(_ seat: Int, isRefused: Bool, into outputs: inout [Effect]) {}
  mutating func giveUp(_ seat: Int, at now: Instant, into outputs: inout [Effect]) -> Bool { false }
  mutating func leave(_ seat: Int) {}
  mutating func forgetPlaces(of seat: Int) { leave(seat) }
  func walkingOrigin(near first: Coordinate?) -> Coordinate? { first }
  func place(of walk: Walk) -> Coordinate { walk.placeOnSpiral }
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
