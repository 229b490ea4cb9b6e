// The ground around a place of which a player's watch knows everything, and how far the player has gone on it. A value
// of a watch; a watch outside of its area is renewed.

/// The area of a watch.
struct WatchArea: Hashable, Sendable {
  /// A watch knows what lies within this distance of its centre …
  static let reachMaxMm: Int64 = 1_000_000
  /// … and is renewed when the player is further than 85 % of its reach from the centre, 850 m.
  private static let renewalPercent: Int64 = 85
  /// In a crowded place, where the reach is short, it is not renewed more often than this.
  private static let renewalMinMm: Int64 = 50_000
  /// A step of this length makes a fix a look.
  static let stepMm: Int64 = 5_000
  /// A watch of a longer way is renewed, so that sums stay small.
  private static let travelledMaxMm: Int64 = 1_000_000_000

  let center: Coordinate
  /// The distance from the centre at which the player leaves the area.
  let renewalMm: Int64
  /// The place of the newest look.
  private(set) var lookedAt: Coordinate
  /// At least the length of the way from look to look, since the centre.
  private(set) var travelledMm: Int64 = 0

  /// An area around a look. A player at its edge must still be `marginMm` from what the watch does not know.
  init(around center: Coordinate, reachMm: Int64, marginMm: Int64 = 0) {
    self.center = center
    renewalMm = max(Self.renewalMinMm, min(reachMm * Self.renewalPercent / 100, reachMm - marginMm))
    lookedAt = center
  }

  /// Whether a fix is a step away from the newest look; one that is shorter by `shorterByMm` suffices.
  func isStep(to place: Coordinate, shorterByMm: Int64 = 0) -> Bool {
    let stepMm = Self.stepMm - shorterByMm
    return stepMm <= 0 || !Geodesy.isWithin(stepMm - 1, lookedAt, place)
  }

  /// Looks from another place. Returns false, and does nothing, where that lies outside of the area.
  mutating func look(from place: Coordinate) -> Bool {
    guard let stepMm = Geodesy.distanceMm(lookedAt, place), travelledMm + stepMm < Self.travelledMaxMm,
      Geodesy.isWithin(renewalMm - 1, center, place)
    else { return false }
    lookedAt = place
    travelledMm += stepMm + 1
    return true
  }

  /// The way after which something at this distance may have been reached, as `travelledMm` counts it.
  func wayMm(toDistance distanceMm: Int64) -> Int32 {
    // Distances along the ground and on a plane differ by less than this.
    Int32(clamping: travelledMm + max(0, distanceMm - distanceMm / 50 - 1_000))
  }

  /// How far the player can go from a place before the way is `dueMm` long, or the area ends; at least 0.
  func quietMm(from place: Coordinate, untilWayMm dueMm: Int32) -> Int64 {
    guard let sinceMm = Geodesy.distanceMm(lookedAt, place), let fromCenterMm = Geodesy.distanceMm(center, place)
    else { return 0 }
    return max(0, min(Int64(dueMm) - travelledMm - sinceMm, renewalMm - fromCenterMm))
  }

  /// The metres that a player is told: a shorter step is no look.
  static func nextCheckM(quietMm: Int64) -> Int64 {
    max(stepMm, quietMm) / 1_000
  }
}
