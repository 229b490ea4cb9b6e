// Games that have ended, and their results. Part of the contract. They are written by `GameChange`.
import Game

/// Games, results and badges. Calls with a completion return at once, on any thread; the others block.
package protocol GameStore: Sendable {
  /// The games that ended last, at most `limit`: newest end first; at the same end the greater room and number first.
  /// Blocks.
  func games(newest limit: Int) throws(StoreFailure) -> [GameRow]

  /// A game that has ended, with its results by rank; nil when it is not there or has not ended. Blocks.
  func game(_ id: GameID) throws(StoreFailure) -> StoredGame?

  /// Up to `limit` ended games of a room with numbers below `number` (nil: all), the highest number first, each with
  /// its results by rank.
  func games(of room: RoomID, before number: UInt32?, limit: Int, _ completion: @escaping Completion<[StoredGame]>)

  /// Up to `limit` results of a player behind the cursor: newest end first; at the same end the greater room and number
  /// first. Empty for an unknown player.
  func results(
    of player: PlayerID,
    before cursor: ResultCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ResultRow]>
  )

  /// The totals of a player's records (`ResultRow.counts`), one for each range of their games' ends, in the order of
  /// the ranges.
  func totals(of player: PlayerID, in ranges: [Range<Instant>], _ completion: @escaping Completion<[Totals]>)

  /// A player's badges, the lowest first.
  func badges(of player: PlayerID, _ completion: @escaping Completion<[AwardedBadge]>)
}
