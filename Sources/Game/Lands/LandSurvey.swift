// Checks that a ring of coordinates is a land, and densifies it. Pure: the same ring always gives the same vertices.

/// The reason why a ring is no land.
package enum LandFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The last coordinate is not the first.
  case notClosed
  case tooFewCorners
  /// The coordinate with this index, from 0, is not on Earth or beyond ±85°.
  case offTheMap(Int)
  /// Two of its sides meet; the indices, from 0, are of the coordinates that the sides begin at.
  case crossesItself(Int, Int)
  case tooShort(mm: Int64)
  /// The coordinate with this index, from 0, is too far from the first one or from the one before for the calculation.
  case tooWide(Int)
  case tooManyVertices(Int)

  package var description: String {
    switch self {
    case .notClosed: "the ring is not closed: its last coordinate is not its first"
    case .tooFewCorners: "the ring has fewer than three different corners"
    case .offTheMap(let number): "coordinate \(number) is not on Earth, or beyond 85° north or south"
    case .crossesItself(let first, let second):
      "the ring crosses or touches itself: the sides that begin at coordinates \(first) and \(second) meet"
    case .tooShort(let mm): "the ring is \(mm / 1_000) m around, less than \(LandSurvey.lengthMinMm / 1_000) m"
    case .tooWide(let number):
      "coordinate \(number) is more than \(Geodesy.farMm / 1_000_000) km from the first, or from the one before"
    case .tooManyVertices(let count): "the ring takes \(count) vertices, more than \(Land.verticesRange.upperBound)"
    }
  }
}

extension Land {
  /// The land with this name and ring, whose last coordinate repeats the first. `sha256` gives the digest of bytes.
  ///
  /// Its identifier is the first half of its vertices' digest, so the same land has the same one wherever it comes
  /// from.
  package init(
    named name: String,
    ring: [Coordinate],
    sha256: ([UInt8]) -> [UInt8]
  ) throws(LandFault) {
    let vertices = try LandSurvey.vertices(ofRing: ring)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * vertices.count)
    for vertex in vertices {
      withUnsafeBytes(of: vertex.latE7.bigEndian) { bytes += $0 }
      withUnsafeBytes(of: vertex.lngE7.bigEndian) { bytes += $0 }
    }
    let id = LandID(sha256(bytes).prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
    self.init(id: id, name: name, vertices: vertices)
  }
}

/// The survey of a ring.
package enum LandSurvey {
  static let lengthMinMm: Int64 = 40_000
  /// The greatest distance between vertices.
  static let stepMaxMm: Int64 = 8_000
  /// The greatest part of a divided side; a bit shorter, since coordinates are rounded.
  private static let partMaxMm: Int64 = 7_980

  /// The vertices of the land with this ring, whose last coordinate repeats the first.
  package static func vertices(ofRing ring: [Coordinate]) throws(LandFault) -> ContiguousArray<Coordinate> {
    if let stranger = ring.firstIndex(where: { !PositionRules.isOnMap($0) }) { throw .offTheMap(stranger) }
    guard ring.count > 1, ring.first == ring.last else { throw ring.isEmpty ? .tooFewCorners : .notClosed }
    // A repeated coordinate is one corner.
    let numbers = ring.indices.dropLast().filter { ring[$0] != ring[$0 + 1] }
    let corners = numbers.map { ring[$0] }
    guard corners.count >= 3 else { throw .tooFewCorners }
    guard corners.count <= Land.verticesRange.upperBound else { throw .tooManyVertices(corners.count) }
    if let far = corners.firstIndex(where: { Geodesy.squaredDistanceMm2(corners[0], $0) == nil }) {
      throw .tooWide(numbers[far])
    }
    if let (first, second) = RingSides(around: corners).firstMeeting() {
      throw .crossesItself(numbers[first], numbers[second])
    }
    var vertices: ContiguousArray<Coordinate> = []
    for index in corners.indices {
      let next = (index + 1) % corners.count
      guard let parts = partCount(from: corners[index], to: corners[next]) else { throw .tooWide(numbers[next]) }
      guard vertices.count + Int(parts) <= Land.verticesRange.upperBound else {
        throw .tooManyVertices(vertices.count + Int(parts))
      }
      for part in 0..<parts { vertices.append(between(corners[index], corners[next], part, of: parts)) }
    }
    let lengthMm = Land(id: LandID(0), name: "", vertices: vertices).lengthMm
    guard lengthMm >= lengthMinMm else { throw .tooShort(mm: lengthMm) }
    return vertices
  }

  /// The number of parts of a side; nil where it is too long for the calculation.
  private static func partCount(from: Coordinate, to: Coordinate) -> Int64? {
    guard let sideMm = Geodesy.distanceMm(from, to) else { return nil }
    guard sideMm > stepMaxMm else { return 1 }
    let parts = count(of: sideMm)
    // A degree to the east is longer nearer to the equator: a part at one end may be longer than the others.
    let longestMm = max(
      Geodesy.distanceMm(from, between(from, to, 1, of: parts)) ?? 0,
      Geodesy.distanceMm(between(from, to, parts - 1, of: parts), to) ?? 0
    )
    return longestMm <= stepMaxMm ? parts : count(of: longestMm * parts)
  }

  private static func count(of mm: Int64) -> Int64 {
    (mm + partMaxMm - 1) / partMaxMm
  }

  /// A point at this part of the way from one coordinate to another, the shorter way round.
  private static func between(_ from: Coordinate, _ to: Coordinate, _ part: Int64, of parts: Int64) -> Coordinate {
    let latE7 = Int64(from.latE7) + (Int64(to.latE7) - Int64(from.latE7)) * part / parts
    var lngE7 = Int64(from.lngE7) + Geodesy.eastE7(from: from, to: to) * part / parts
    if lngE7 > 1_800_000_000 { lngE7 -= 3_600_000_000 }
    if lngE7 < -1_800_000_000 { lngE7 += 3_600_000_000 }
    return Coordinate(latE7: Int32(latE7), lngE7: Int32(lngE7))
  }
}
