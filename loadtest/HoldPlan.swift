// The plan for all bots of a `hold`, a `durable`, a `ramp`, a `traffic` or a `places`.
//
// A value.

struct HoldPlan: Sendable {
  let target: ServerTarget
  /// An id that makes this run's players different from the last run's.
  let runID: UInt64
  let connections: Int
  /// The number of bots in rooms; the first ones.
  let inRooms: Int
  /// The number of bots in one room.
  let players: Int
  /// The time between two positions of a bot; nil for none.
  let stepMicroseconds: Int64?
  let pace: ConnectPace
  /// The length of a game that outlasts the run.
  let gameSeconds: Int
  /// The rooms' ticks a second; nil for the server's own.
  var tickHz: Int?
  /// Whether a game begins as soon as its room is full.
  var startsGames = true
  /// The durable commands to be sent; nil for none.
  var commands: CommandLoad?
  /// The seed of everything drawn.
  var seed: UInt64 = 1
  /// The one room is a room of `traffic`; nil for every other command.
  var traffic: TrafficPlan?
  /// The bots walk outside of rooms, as those of `places`; nil for every other command.
  var places: PlacePlan?

  /// The time after the last connection was begun by which all must be ready.
  static let readySecondsMax = 30

  var rooms: Int { (inRooms + players - 1) / players }

  /// The bots of a room; the last room may be smaller.
  func bots(ofRoom room: Int) -> Range<Int> {
    room * players..<min(inRooms, (room + 1) * players)
  }
}
