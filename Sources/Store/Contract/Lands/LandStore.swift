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

  /// Keeps the rankings of these periods from now on, until maintenance finds that they are over; those of all time are
  /// always kept. Runs from before the call count too. A known period changes nothing. Every later read of these
  /// rankings finds them, once the call is answered, and behind a commit that was called later.
  func keepRankings(of periods: [RankingPeriod], _ completion: @escaping Completion<Void>)

  /// Lands' rankings in a period as a player sees them, in the order of the identifiers; unknown lands are left out. It
  /// fails with `.other` for a period that is not kept. Each player is in a ranking once, with the shortest run that
  /// was captured in the period; of two equal runs the earlier counts. The order is: shorter runs, then earlier runs,
  /// then lower players. `top` bounds the first places, `ownTimesMax` the player's own times, which are of all time.
  func rankings(
    of lands: [LandID],
    in period: RankingPeriod,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<[LandRanking]>
  )

  /// Up to `limit` runs of a land's ranking behind the cursor; nil for an unknown land. It fails with `.other` for a
  /// period that is not kept. Ranks go on from the cursor's. Where the cursor's player has another time meanwhile, the
  /// page begins with the first run of the cursor's time.
  func ranking(
    of land: LandID,
    in period: RankingPeriod,
    after cursor: RankingCursor?,
    limit: Int,
    for player: PlayerID,
    _ completion: @escaping Completion<RankingPage?>
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
