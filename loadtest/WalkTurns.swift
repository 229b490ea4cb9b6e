// The moments at which the bots of one room step. Phones don't move at the same moment, so the bots take turns at equal
// distances. A room's first turn lies within the first interval, in each room elsewhere.
// Decisions: 170 (docs/decisions).

/// The turns of the bots of a room. Turn `n` is that of bot `n % bots`.
package struct WalkTurns {
  private let bots: Int
  private let intervalMicroseconds: Int64
  private let firstMicroseconds: Int64
  /// The number of turns that were due so far.
  private var taken = 0

  /// - Parameters:
  ///   - bots: The number of bots in the room.
  ///   - intervalMicroseconds: The time between two steps of a bot.
  ///   - room: The room's number. The golden ratio spreads any number of rooms evenly.
  package init(bots: Int, intervalMicroseconds: Int64, room: Int) {
    self.bots = bots
    self.intervalMicroseconds = intervalMicroseconds
    firstMicroseconds = Int64(room) * 618_034 % 1_000_000 * intervalMicroseconds / 1_000_000
  }

  /// Takes the turns that are due by this time since the game's start. A bot that missed turns takes its newest one.
  package mutating func take(afterMicroseconds microseconds: Int64) -> Range<Int> {
    let due = max(taken, due(afterMicroseconds: microseconds))
    defer { taken = due }
    return max(taken, due - bots)..<due
  }

  /// The time of the next turn since the game's start.
  package var nextMicroseconds: Int64 { microseconds(of: taken) }

  /// The time of a turn since the game's start, rounded up: the turn is due by then.
  package func microseconds(of turn: Int) -> Int64 {
    let bots = Int64(bots)
    return firstMicroseconds + (Int64(turn) * intervalMicroseconds + bots - 1) / bots
  }

  /// The number of turns that are due by this time since the game's start.
  package func due(afterMicroseconds microseconds: Int64) -> Int {
    guard microseconds >= firstMicroseconds else { return 0 }
    return Int((microseconds - firstMicroseconds) * Int64(bots) / intervalMicroseconds) + 1
  }
}
