// The bounds of a room's numbers of events and games. Pure numbers; the room closes before they run out.

/// The bounds of a room's numbers.
package enum RoomNumbers {
  /// The bound of events' numbers in a state that is read back, so that they can't run out after it.
  static let eventMax = UInt32.max - (1 << 24)
  /// The same bound for games.
  static let gameMax = UInt32.max / 2

  /// The end of events' numbers: from here on the room closes with the next input. The events of one input still get
  /// their numbers.
  static let eventEnd = eventMax - (1 << 16)
  /// The same end for games.
  static let gameEnd = gameMax - 1
  /// The greatest number of events that a room is assumed to have lost: 400 members chat half a million times in 20
  /// minutes.
  package static let lostEventsMax: UInt32 = 1 << 20
}
