// A land: a ring on the ground that players capture by going around it. A value; its maker has surveyed the ring
// (`LandSurvey`), and the store keeps it.

/// A ring on the ground.
package struct Land: Hashable, Sendable {
  package static let nameCharactersMax = 100
  /// Bounds the bytes too, since a character may have any length.
  package static let nameBytesMax = 1_600
  package static let verticesRange = 3...10_000

  package let id: LandID
  package let name: String
  /// The vertices in order; the last is followed by the first.
  package let vertices: ContiguousArray<Coordinate>
  private let stretches: ContiguousArray<Stretch>

  /// A part of the ring, so that a fix needs no look at every vertex.
  private struct Stretch: Hashable, Sendable {
    static let verticesMax = 16

    var vertices: Range<Int>
    var middle: Coordinate
    /// Every vertex is within this distance of the middle, on any plane; nil when one is too far for the calculation.
    var reachMm: Int64?

    init(of ring: ContiguousArray<Coordinate>, from first: Int) {
      vertices = first..<min(first + Self.verticesMax, ring.count)
      middle = ring[(vertices.lowerBound + vertices.upperBound) / 2]
      reachMm = 0
      for vertex in vertices {
        guard let distanceMm = Geodesy.distanceMm(middle, ring[vertex]), distanceMm < Self.reachMaxMm else {
          reachMm = nil
          return
        }
        // Planes around other places differ by less than this.
        reachMm = reachMm.map { max($0, distanceMm + distanceMm / 100 + 1_000) }
      }
    }

    private static let reachMaxMm: Int64 = 5_000_000
  }

  /// A land with a surveyed ring.
  package init(id: LandID, name: String, vertices: ContiguousArray<Coordinate>) {
    precondition(Self.verticesRange.contains(vertices.count), "a land has enough vertices, and not too many")
    self.id = id
    self.name = name
    self.vertices = vertices
    stretches = ContiguousArray(
      stride(from: 0, to: vertices.count, by: Stretch.verticesMax).map { Stretch(of: vertices, from: $0) }
    )
  }

  /// Checks a name by the rules of a chat: 1 to 100 characters, not only white space, no control characters.
  package static func check(name: String) throws(TextFault) {
    try TextFault.check(name, charactersMax: nameCharactersMax, bytesMax: nameBytesMax)
  }

  /// The length of its ring.
  package var lengthMm: Int64 {
    var last = vertices[vertices.count - 1]
    return vertices.reduce(0) { sum, vertex in
      defer { last = vertex }
      return sum + (Geodesy.distanceMm(last, vertex) ?? 0)
    }
  }

  /// The square of the distance to the nearest vertex, in mm²; nil when none is within `reachMm`, which is less than
  /// `Geodesy.farMm`.
  func squaredDistanceMm2(from place: Coordinate, withinMm reachMm: Int64) -> Int64? {
    let span = Geodesy.spanE7(of: reachMm, around: place)
    var nearest: Int64?
    forEachStretch {
      Geodesy.isWithin(reachMm + $1, place, $0)
    } body: { stretch in
      for vertex in vertices[stretch]
      where abs(Int64(vertex.latE7) - Int64(place.latE7)) <= span.latE7
        && Geodesy.longitudeDeltaE7(vertex, place) <= span.lngE7
      {
        guard let squaredMm2 = Geodesy.squaredDistanceMm2(place, vertex), squaredMm2 <= reachMm * reachMm else {
          continue
        }
        nearest = min(nearest ?? .max, squaredMm2)
      }
    }
    return nearest
  }

  /// Visits the parts of the ring that may be near, by their vertices' numbers. `isNear` says whether anything within
  /// these millimetres of a place may be.
  func forEachStretch(where isNear: (Coordinate, Int64) -> Bool, body: (Range<Int>) -> Void) {
    for stretch in stretches {
      if let reachMm = stretch.reachMm, !isNear(stretch.middle, reachMm) { continue }
      body(stretch.vertices)
    }
  }

  /// The number of vertices that must be visited: more than 95 of 100.
  package var visitsMin: Int { 95 * vertices.count / 100 + 1 }
}

// In a journal.
extension Land {
  func write(to record: inout RecordWriter) {
    record.bytes.fixed(id.value)
    record.bytes.number(name.utf8.count)
    for byte in name.utf8 { record.bytes.byte(byte) }
    record.bytes.number(vertices.count)
    for vertex in vertices { record.coordinate(vertex) }
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    let id = LandID(try record.bytes.fixed128())
    let nameBytes = try record.bytes.part(try record.bytes.count("length of a name")).rest
    guard let name = String(validating: nameBytes, as: UTF8.self) else { throw record.fault(.impossible("name")) }
    let count = try record.bytes.count(bytesEach: 8, max: Self.verticesRange.upperBound, "number of vertices")
    try record.require(Self.verticesRange.contains(count), "number of vertices")
    var vertices: ContiguousArray<Coordinate> = []
    vertices.reserveCapacity(count)
    for _ in 0..<count {
      vertices.append(try record.coordinateOnMap())
    }
    self.init(id: id, name: name, vertices: vertices)
  }
}
