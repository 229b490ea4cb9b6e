// A line segment between two places, and the places near it. A value that is made for one step of a player. Its plane
// lies around the step itself, so that distances are as exact at a land's far end as at its first vertex.

/// A line segment on the ground, with a reach to either side.
struct LineSegment: Sendable {
  private typealias Place = (eastMm: Int64, northMm: Int64)

  private let plane: Plane
  /// The end; the beginning is the plane's centre.
  private let end: Place
  private let squaredLengthMm2: Int64
  private let reachMm: Int64
  /// Bounds of everything within reach: a cheap first check.
  private let latsE7: ClosedRange<Int64>
  private let lngDeltaMaxE7: Int64

  /// A segment with this reach to either side, less than `Geodesy.farMm`; nil where its end is far from its beginning.
  init?(from: Coordinate, to: Coordinate, reachMm: Int64) {
    plane = Plane(around: from)
    guard let end = plane.place(to) else { return nil }
    self.end = end
    squaredLengthMm2 = end.eastMm * end.eastMm + end.northMm * end.northMm
    self.reachMm = reachMm
    let span = Geodesy.spanE7(of: reachMm, around: abs(from.latE7) > abs(to.latE7) ? from : to)
    let (fromLatE7, toLatE7) = (Int64(from.latE7), Int64(to.latE7))
    latsE7 = min(fromLatE7, toLatE7) - span.latE7...max(fromLatE7, toLatE7) + span.latE7
    lngDeltaMaxE7 = Geodesy.longitudeDeltaE7(from, to) + span.lngE7
  }

  /// Whether a place lies within reach.
  func passes(_ coordinate: Coordinate) -> Bool {
    guard latsE7.contains(Int64(coordinate.latE7)),
      Geodesy.longitudeDeltaE7(plane.center, coordinate) <= lngDeltaMaxE7, let place = plane.place(coordinate)
    else { return false }
    return isWithin(reachMm, place)
  }

  /// Whether something within so many millimetres of a place, at most 5 km, may lie within reach.
  func mayPass(_ coordinate: Coordinate, withinMm: Int64) -> Bool {
    guard let place = plane.place(coordinate) else { return squaredLengthMm2 > Self.squaredLengthNearMm2 }
    return isWithin(reachMm + withinMm, place)
  }

  /// The square of 10 km: nothing that is far from the beginning of a shorter segment is within its reach.
  private static let squaredLengthNearMm2: Int64 = 100_000_000_000_000

  private func isWithin(_ limitMm: Int64, _ place: Place) -> Bool {
    // The place's distance along the segment, times the segment's length.
    let along = place.eastMm * end.eastMm + place.northMm * end.northMm
    if along <= 0 { return Self.squared(place) <= limitMm * limitMm }
    if along >= squaredLengthMm2 {
      return Self.squared((place.eastMm - end.eastMm, place.northMm - end.northMm)) <= limitMm * limitMm
    }
    let across = Int128(end.eastMm * place.northMm - end.northMm * place.eastMm)
    return across * across <= Int128(limitMm * limitMm) * Int128(squaredLengthMm2)
  }

  private static func squared(_ place: Place) -> Int64 {
    place.eastMm * place.eastMm + place.northMm * place.northMm
  }
}
