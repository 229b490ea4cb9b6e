// How far a room numbers its events and games. Pure numbers; the room closes before they run out.

/// The bounds of a room's numbers.
enum RoomNumbers {
  /// Numbers of events stay below this in what is read back, so that they can't run out behind it.
  static let eventMax = UInt32.max - (1 << 24)
  /// Likewise those of games.
  static let gameMax = UInt32.max / 2

  /// No event is numbered from here on: there the room closes with whatever comes next. What one input brings about
  /// still has its numbers.
  static let eventEnd = eventMax - (1 << 16)
  /// Likewise no game.
  static let gameEnd = gameMax - 1
}
