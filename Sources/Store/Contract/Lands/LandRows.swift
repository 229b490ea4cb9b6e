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
