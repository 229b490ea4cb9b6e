// Lands, and the rankings of solo runs around them. Part of the contract. Runs are written by `RoomChange.addLandRun`.
import Game

/// Lands and runs. Calls with a completion return at once, on any thread; the others block.
package protocol LandStore: Sendable {
  /// The lands with these identifiers, in the order of the identifiers; unknown ones are left out.
  func lands(_ ids: [LandID], _ completion: @escaping Completion<[Land]>)

  /// Up to `limit` lands with a vertex within `withinM` metres of a place (at most 20 km). The nearest by that vertex
  /// comes first; at equal distance, the lower identifier. Distances are those of `Geodesy`, also across the 180th
  /// meridian.
  func lands(near place: Coordinate, withinM: Int, limit: Int, _ completion: @escaping Completion<[NearbyLand]>)

  /// Up to `limit` lands whose boxes meet a map's, behind the land `last` in this order: the tallest box first, of
  /// equally tall ones the land that was added last. Lands don't change, so the pages of a map have each land once. The
  /// list is empty where no land is `last`.
  func lands(in map: MapBox, after last: LandID?, limit: Int, _ completion: @escaping Completion<[FoundLand]>)

  /// The names of those of these lands that are known.
  func landNames(_ ids: Set<LandID>, _ completion: @escaping Completion<[LandID: String]>)

  /// A land with its best time; nil for an unknown one.
  func land(_ id: LandID, _ completion: @escaping Completion<FoundLand?>)

  /// A land's ranking as a player sees it; nil for an unknown land. Each player is in it once, with the shortest run;
  /// of two equal runs the earlier counts. The order is: shorter runs, then earlier runs, then lower players. `top`
  /// bounds the first places, `ownTimesMax` the player's own times.
  func ranking(
    of land: LandID,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<LandRanking?>
  )

  /// Up to `limit` lands that a player has a time for, behind the cursor, by the moment of the best time, newest first.
  /// At the same moment the greater land comes first. The list is empty where the player has no time for the cursor's
  /// land, and nil for an unknown player. With `sharedWith` it has only lands that this player has a time for, too.
  func lands(
    of player: PlayerID,
    sharedWith other: PlayerID?,
    before cursor: PlayerLandCursor?,
    limit: Int,
    _ completion: @escaping Completion<[PlayerLand]?>
  )

  /// Adds lands, all or none, in one transaction; returns for each whether it is new. A known identifier leaves the
  /// stored land as it is. Blocks.
  func addLands(_ lands: [Land]) throws(StoreFailure) -> [Bool]

  /// Hands over every land in the order of their addition. A `StoreFailure` of `body` ends the call as it is, any other
  /// error as `.other`. Blocks.
  func allLands(_ body: (Land) throws -> Void) throws(StoreFailure)
}
