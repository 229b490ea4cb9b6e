// The ring that a player has walked: from the fixes of a game to the corners of a land. Pure, in whole millimetres, so
// the same track always gives the same ring.
// Decisions: 108 (docs/decisions).

/// The search for a ring in a track.
package enum TrackLoop {
  /// A loop is closed where the track comes back to within this distance of an earlier point of it.
  package static let gapMaxMm: Int64 = 30_000
  /// Points of the track that are nearer to each other are one, and further apart where there are very many.
  static let stepMinMm: Int64 = 3_000
  /// No point of a loop is further than this from its ring, as far as `cornersMax` allows: a hundredth of its length
  /// within this range.
  static let toleranceRangeMm: ClosedRange<Int64> = 1_000...5_000
  /// The largest number of corners.
  package static let cornersMax = 500

  /// The corners of the ring in a player's accepted fixes; the last repeats the first. Nil where no part of the track
  /// encloses a land.
  package static func ring(of track: [Coordinate]) -> [Coordinate]? {
    var stepMm = stepMinMm
    var pieces = TrackPiece.pieces(of: track, stepMm: stepMm)
    while pieces.contains(where: { $0.points.count >= OpenPath.pointsMax }) {
      stepMm *= 2
      pieces = TrackPiece.pieces(of: track, stepMm: stepMm)
    }
    var loops: [(piece: TrackPiece, loop: WalkedLoop)] = []
    for piece in pieces {
      var search = LoopSearch(from: piece.points[0])
      for point in piece.points.dropFirst() { search.walk(to: point) }
      loops += search.loops.map { (piece, $0) }
    }
    // Of equal ones the earlier is first.
    for (piece, loop) in loops.sorted(by: { $0.loop.gain > $1.loop.gain }) {
      if let ring = ring(of: loop, on: piece.plane) { return ring }
    }
    return nil
  }

  /// The corners of a loop if they are those of a land.
  private static func ring(of loop: WalkedLoop, on plane: Plane) -> [Coordinate]? {
    let points = ContiguousArray(loop.polygon.map { PlanePoint(northMm: Int64($0.y), eastMm: Int64($0.x)) })
    let toleranceMm = min(max(loop.lengthMm / 100, toleranceRangeMm.lowerBound), toleranceRangeMm.upperBound)
    // A small ring may become too short, and a jagged one cross itself: then a more exact one is tried.
    for toleranceMm in [toleranceMm, toleranceMm / 4, 0] {
      let corners = RingOutline.corners(of: points, toleranceMm: toleranceMm, cornersMax: cornersMax)
      var ring = corners.map { plane.coordinate(eastMm: points[$0].eastMm, northMm: points[$0].northMm) }
      ring.append(ring[0])
      if (try? LandSurvey.vertices(ofRing: ring)) != nil { return ring }
    }
    return nil
  }
}

/// A part of a track without a gap, on its own plane.
struct TrackPiece {
  let plane: Plane
  private(set) var points: ContiguousArray<ArenaPoint>

  private init(from start: Coordinate) {
    plane = Plane(around: start)
    points = [ArenaPoint(x: 0, y: 0)]
  }

  /// The pieces of a track, with points at least `stepMm` apart. A step that doesn't count towards a distance is a gap:
  /// nobody knows the ground between. So is one beyond the piece's plane.
  static func pieces(of track: [Coordinate], stepMm: Int64) -> [TrackPiece] {
    var pieces: [TrackPiece] = []
    var last: Coordinate?
    for place in track {
      defer { last = place }
      if let last, Geodesy.isWithin(PositionRules.stepMaxMm, last, place),
        pieces[pieces.count - 1].add(place, stepMm: stepMm)
      {
        continue
      }
      if let last { pieces[pieces.count - 1].end(at: last) }
      pieces.append(TrackPiece(from: place))
    }
    if let last { pieces[pieces.count - 1].end(at: last) }
    return pieces
  }

  /// Adds the last place, however near it is to the one before.
  private mutating func end(at place: Coordinate) {
    _ = add(place, stepMm: 0)
  }

  /// Adds a place unless it is near to the last one; false where it is far from the plane's centre.
  private mutating func add(_ place: Coordinate, stepMm: Int64) -> Bool {
    guard let (eastMm, northMm) = plane.place(place) else { return false }
    let point = ArenaPoint(x: Int32(eastMm), y: Int32(northMm))
    if points[points.count - 1].squaredDistanceMm2(to: point) >= stepMm * stepMm { points.append(point) }
    return true
  }
}
