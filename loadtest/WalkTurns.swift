// The moments at which the bots of one room step. Phones don't move at the same moment, so the bots take turns at equal
// distances. A room's first turn lies within the first interval, in each room elsewhere.
// Decisions: 170 (docs/decisions).

/// The turns of the bots of a room. Turn `n` is that of bot `n % bots`.
package struct WalkTurns {
  private let perSecond: Int64
  private let firstMicroseconds: Int64

  /// - Parameters:
  ///   - bots: The number of bots in the room.
  ///   - rateHz: The steps of each bot in a second.
  ///   - room: The room's number. The golden ratio spreads any number of rooms evenly.
  package init(bots: Int, rateHz: Int, room: Int) {
    perSecond = Int64(bots * rateHz)
    firstMicroseconds = Int64(room) * 618_034 % 1_000_000 / Int64(rateHz)
  }

  /// The time of a turn since the game's start, rounded up: the turn is due by then.
  package func microseconds(of turn: Int) -> Int64 {
    firstMicroseconds + (Int64(turn) * 1_000_000 + perSecond - 1) / perSecond
  }

  /// The number of turns that are due by this time since the game's start.
  package func due(afterMicroseconds microseconds: Int64) -> Int {
    guard microseconds >= firstMicroseconds else { return 0 }
    return Int((microseconds - firstMicroseconds) * perSecond / 1_000_000) + 1
  }
}
