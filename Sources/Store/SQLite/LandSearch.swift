// The search for the lands nearest to a place. It finds lands by their boxes in ever wider circles, so that few are
// examined where lands are dense. In each circle it measures vertices, the most promising land first, until no other
// can be nearer. Runs inside one read.
// Decisions: 039 (docs/decisions).
import GRDB
import Game

/// A search around one place.
struct LandSearch {
  /// The radius of the first circle.
  private static let firstReachMm: Int64 = 100_000

  private let place: Coordinate
  private let db: Database
  /// The lands measured so far, by number.
  private var measured: [Int64: NearbyLand] = [:]

  /// A land known by its box.
  private struct Candidate {
    let number: Int64
    /// A lower bound of the squared distance to any vertex.
    let squaredMm2: Int64
  }

  init(near place: Coordinate, on db: Database) {
    self.place = place
    self.db = db
  }

  /// Up to `limit` lands with a vertex within this distance, at most `Geodesy.farMm`: the nearest first.
  mutating func nearest(_ limit: Int, withinMm: Int64) throws -> [NearbyLand] {
    guard PositionRules.isOnMap(place), withinMm > 0, limit > 0 else { return [] }
    var reachMm = min(Self.firstReachMm, withinMm)
    while true {
      let nearest = try nearest(limit, inCircleOfMm: reachMm)
      guard nearest.count < limit, reachMm < withinMm else { return nearest }
      reachMm = min(2 * reachMm, withinMm)
    }
  }

  private mutating func nearest(_ limit: Int, inCircleOfMm reachMm: Int64) throws -> [NearbyLand] {
    var nearest: [NearbyLand] = []
    var seen: Set<Int64> = []
    for candidate in try candidates(withinMm: reachMm) where seen.insert(candidate.number).inserted {
      if nearest.count == limit, let last = nearest.last {
        // A land as near as the last one may still come before it.
        guard candidate.squaredMm2 <= (last.distanceMm + 1) * (last.distanceMm + 1) else { break }
      }
      let land = try measure(candidate)
      guard land.distanceMm <= reachMm else { continue }
      let index = nearest.firstIndex { ($0.distanceMm, $0.id) > (land.distanceMm, land.id) } ?? nearest.endIndex
      nearest.insert(land, at: index)
      if nearest.count > limit { nearest.removeLast() }
    }
    return nearest
  }

  /// The lands whose boxes overlap the circle's box, the nearest box first.
  private func candidates(withinMm reachMm: Int64) throws -> [Candidate] {
    let span = Geodesy.spanE7(of: reachMm, around: place)
    let lats = Int64(place.latE7) - span.latE7...Int64(place.latE7) + span.latE7
    let lngs = Int64(place.lngE7) - span.lngE7...Int64(place.lngE7) + span.lngE7
    var candidates: [Candidate] = []
    for part in LandBox.parts(lngs) {
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT number / 2, low_lat, high_lat, low_lng, high_lng FROM land_boxes
            WHERE high_lat >= ? AND low_lat <= ? AND high_lng >= ? AND low_lng <= ?
            """
        ),
        arguments: [lats.lowerBound, lats.upperBound, part.lowerBound, part.upperBound]
      )
      while let row = try rows.next() {
        guard let squaredMm2 = try squaredMm2(toBoxOf: row) else { continue }
        candidates.append(Candidate(number: try row.value(0), squaredMm2: squaredMm2))
      }
    }
    return candidates.sorted { ($0.squaredMm2, $0.number) < ($1.squaredMm2, $1.number) }
  }

  /// A close lower bound of the squared distance to a box; nil for a box that is far.
  private func squaredMm2(toBoxOf row: Row) throws -> Int64? {
    let (low, high): (Int32, Int32) = (try row.value(1), try row.value(2))
    let (west, east): (Int32, Int32) = (try row.value(3), try row.value(4))
    let latE7 = max(low, min(high, place.latE7))
    // Beside the box its nearer side counts, which may be across the antimeridian.
    let lngs = west <= place.lngE7 && place.lngE7 <= east ? [place.lngE7] : [west, east]
    let squaresMm2 = lngs.compactMap { Geodesy.squaredDistanceMm2(place, Coordinate(latE7: latE7, lngE7: $0)) }
    // The way to a meridian is slightly shorter towards the pole than along the parallel: over 20 km at 85° by 0.03 %.
    return squaresMm2.min().map { $0 - $0 / 1_000 }
  }

  private mutating func measure(_ candidate: Candidate) throws -> NearbyLand {
    if let known = measured[candidate.number] { return known }
    let found = try FoundLand(number: candidate.number, on: db)
    let distanceMm = Geodesy.distanceMm(place, toNearestOf: found.land.vertices) ?? .max
    let land = NearbyLand(found, distanceMm: distanceMm)
    measured[candidate.number] = land
    return land
  }
}
