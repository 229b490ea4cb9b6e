// The stored rows of lands and of solo runs around them. Plain values, the same for every back end.
import Game

/// A land with its best time.
package struct FoundLand: Hashable, Sendable {
  package var land: Land
  /// The length of the border, once around.
  package var lengthMm: Int64
  /// The best time of all players; nil while nobody has one.
  package var bestTimeMs: Int64?

  package init(land: Land, lengthMm: Int64, bestTimeMs: Int64?) {
    self.land = land
    self.lengthMm = lengthMm
    self.bestTimeMs = bestTimeMs
  }

  package var id: LandID { land.id }
  /// The middle of the land's box.
  package var middle: Coordinate { LandBox(of: land).middle }
}

/// A land near a place.
package struct NearbyLand: Hashable, Sendable {
  package var found: FoundLand
  /// The distance to the land's nearest vertex.
  package var distanceMm: Int64

  package init(_ found: FoundLand, distanceMm: Int64) {
    self.found = found
    self.distanceMm = distanceMm
  }

  package var id: LandID { found.id }
}

/// A player's best run around a land with its rank, from 1. Shorter times come first; of equal times, the earlier.
package struct RankedRun: Hashable, Sendable {
  package var rank: Int
  package var player: PlayerID
  package var nickname: String
  package var timeMs: Int64
  package var capturedAt: Instant

  package init(rank: Int, player: PlayerID, nickname: String, timeMs: Int64, capturedAt: Instant) {
    self.rank = rank
    self.player = player
    self.nickname = nickname
    self.timeMs = timeMs
    self.capturedAt = capturedAt
  }
}

/// A run that captured its land.
package struct LandTime: Hashable, Sendable {
  package var timeMs: Int64
  package var capturedAt: Instant

  package init(timeMs: Int64, capturedAt: Instant) {
    self.timeMs = timeMs
    self.capturedAt = capturedAt
  }
}

/// A land's ranking as one player sees it.
package struct LandRanking: Hashable, Sendable {
  package var land: LandID
  package var name: String
  package var top: [RankedRun]
  /// The player's own best run; nil without one.
  package var own: RankedRun?
  /// The run before `own` and the run behind it, if they exist.
  package var neighbours: [RankedRun]
  /// The player's own times, the newest first.
  package var ownTimes: [LandTime]

  package init(
    land: LandID,
    name: String,
    top: [RankedRun],
    own: RankedRun?,
    neighbours: [RankedRun],
    ownTimes: [LandTime]
  ) {
    self.land = land
    self.name = name
    self.top = top
    self.own = own
    self.neighbours = neighbours
    self.ownTimes = ownTimes
  }
}

/// A land that a player has a time for.
package struct PlayerLand: Hashable, Sendable {
  package var land: LandID
  package var name: String
  package var timeMs: Int64
  package var rank: Int
  package var capturedAt: Instant

  package init(land: LandID, name: String, timeMs: Int64, rank: Int, capturedAt: Instant) {
    self.land = land
    self.name = name
    self.timeMs = timeMs
    self.rank = rank
    self.capturedAt = capturedAt
  }
}

/// A place in the list of a player's lands, which is ordered by the moment of their best time, newest first. It holds
/// no time, because other players must not learn it. So the place moves with the land when a new best time is set.
package struct PlayerLandCursor: Hashable, Sendable {
  package var land: LandID

  package init(land: LandID) {
    self.land = land
  }

  /// The place of a row; the next page begins behind it.
  package init(of row: PlayerLand) {
    self.init(land: row.land)
  }
}
