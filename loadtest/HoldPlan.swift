// What all bots of a `hold` are to do.
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
  let rateHz: Int
  let pace: ConnectPace
  /// How long a game must last to outlast the run.
  let gameSeconds: Int

  var rooms: Int { (inRooms + players - 1) / players }

  /// The bots of a room; the last room may be smaller.
  func bots(ofRoom room: Int) -> Range<Int> {
    room * players..<min(inRooms, (room + 1) * players)
  }
}
