// Lands, and the rankings of solo runs around them. Part of the contract. Runs are written by `RoomChange.addLandRun`.
import Game

/// Lands and runs. Calls with a completion return at once, on any thread; the others block.
package protocol LandStore: Sendable {
  /// The lands with these identifiers, in the order of the identifiers; those that are not there are left out.
  func lands(_ ids: [LandID], _ completion: @escaping Completion<[Land]>)

  /// The lands with a vertex within `withinM` metres of a place (at most 20 km), at most `limit`: the nearest by that
  /// vertex first, of two as near the one with the lower identifier. Distances are those of `Geodesy`, also across the
  /// 180th meridian.
  func lands(near place: Coordinate, withinM: Int, limit: Int, _ completion: @escaping Completion<[NearbyLand]>)

  /// A land's ranking, as a player is told of it; nil when there is no such land. Each player is in it once, with the
  /// shortest run, of two as short the earlier; then shorter runs come first, earlier ones, lower players. `top` bounds
  /// the first places, `ownTimesMax` the player's own times.
  func ranking(
    of land: LandID,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<LandRanking?>
  )

  /// Up to `limit` lands that a player has a time for, by when they got their best one, newest first, of two at one
  /// moment the greater land first; from behind the cursor on, none where the player has no time for its land. Nil when
  /// there is no such player. With `sharedWith` those alone that this player has a time for, too.
  func lands(
    of player: PlayerID,
    sharedWith other: PlayerID?,
    before cursor: PlayerLandCursor?,
    limit: Int,
    _ completion: @escaping Completion<[PlayerLand]?>
  )

  /// Adds lands, all or none, in one transaction; for each whether it is new. A land whose identifier is known stays as
  /// it is. Blocks.
  func addLands(_ lands: [Land]) throws(StoreFailure) -> [Bool]

  /// Hands over every land, in the order in which they were added. An error of `body` ends the call: a `StoreFailure`
  /// as it is, any other as `.other`. Blocks.
  func allLands(_ body: (Land) throws -> Void) throws(StoreFailure)
}
