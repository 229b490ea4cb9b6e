// What all bots of a `hold`, or of a `durable`, are to do.
//
// A value.

struct HoldPlan: Sendable {
  let target: ServerTarget
  /// What makes this run's players others than the last run's.
  let runID: UInt64
  let connections: Int
  /// How many of them sit in rooms; the first ones.
  let inRooms: Int
  /// How many sit in one room.
  let players: Int
  /// Between two positions of a bot; nil for none.
  let stepMicroseconds: Int64?
  let pace: ConnectPace
  /// How long a game must last to outlast the run.
  let gameSeconds: Int
  /// The rooms' ticks a second; nil for the server's own.
  var tickHz: Int?
  /// Durable commands to be sent; nil for none.
  var commands: CommandLoad?
  /// What is drawn is drawn from.
  var seed: UInt64 = 1

  /// How long after the last connection was begun all must be settled.
  static let settlingSecondsMax = 30

  var rooms: Int { (inRooms + players - 1) / players }

  /// The bots of a room; the last room may be smaller.
  func bots(ofRoom room: Int) -> Range<Int> {
    room * players..<min(inRooms, (room + 1) * players)
  }
}
