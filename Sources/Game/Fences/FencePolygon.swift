// A polygon on the ground. A value whose maker has checked that it crosses nothing and encloses something. Its sides
// are straight in latitude and longitude, as in GeoJSON.

/// A polygon on the ground.
package struct FencePolygon: Hashable, Sendable {
  /// The greatest distance of a corner from the first.
  static let reachMaxMm: Int64 = 100_000_000
  /// A smaller area divided by the perimeter has no room for anybody.
  static let halfDepthMinMm: Int64 = 1_000
  /// A place that is deeper inside or further outside has this depth: no rule asks for more.
  static let depthMaxMm: Int64 = 2_000_000

  /// A corner, relative to the first one.
  private struct Corner: Hashable, Sendable {
    var eastE7: Int32
    var northE7: Int32
  }

  /// Some sides in a row, and the box around them: a place far from it needs no look at each side.
  private struct Stretch: Hashable, Sendable {
    static let sidesMax = 16

    var sides: Range<Int32>
    var east: ClosedRange<Int32>
    var north: ClosedRange<Int32>
  }

  private let first: Coordinate
  private let offsets: ContiguousArray<Corner>
  private let stretches: ContiguousArray<Stretch>
  /// The area divided by the perimeter.
  let halfDepthMm: Int64

  /// A polygon with this ring, whose last coordinate repeats the first. A repeated coordinate is one corner.
  ///
  /// - Throws: `offTheMap`, `nearPole`, `notClosed`, `tooFewCorners`, `tooManyVertices`, `tooWide`, `crossesItself` or
  ///   `tooNarrow`.
  package init(ring: [Coordinate]) throws(FenceFault) {
    for (number, place) in ring.enumerated() {
      if let fault = FenceFault.ofPlace(place, number: number) { throw fault }
    }
    guard ring.count > 1, ring.first == ring.last else { throw ring.isEmpty ? .tooFewCorners : .notClosed }
    let numbers = ring.indices.dropLast().filter { !Self.isSamePlace(ring[$0], ring[$0 + 1]) }
    guard numbers.count >= FenceRules.cornersRange.lowerBound else { throw .tooFewCorners }
    guard numbers.count <= FenceRules.cornersRange.upperBound else { throw .tooManyVertices(numbers.count) }
    let corners = numbers.map { ring[$0] }
    if let far = corners.firstIndex(where: {
      (WideGeodesy.distanceMm(corners[0], $0) ?? .max) > Self.reachMaxMm
    }) {
      throw .tooWide(numbers[far])
    }
    if let (one, other) = RingSides(around: corners).firstMeeting() {
      throw .crossesItself(numbers[one], numbers[other])
    }
    first = corners[0]
    let offsets = ContiguousArray(
      corners.map { corner in
        Corner(
          eastE7: Int32(Geodesy.eastE7(from: corners[0], to: corner)),
          northE7: Int32(Int64(corner.latE7) - Int64(corners[0].latE7))
        )
      }
    )
    halfDepthMm = Self.halfDepthMm(of: offsets, from: corners[0])
    guard halfDepthMm >= Self.halfDepthMinMm else { throw .tooNarrow(halfDepthMm: halfDepthMm) }
    self.offsets = offsets
    stretches = ContiguousArray(
      stride(from: 0, to: offsets.count, by: Stretch.sidesMax).map { Self.stretch(of: offsets, from: $0) }
    )
  }

  /// The corners in order, none repeated; the last is followed by the first.
  package var corners: [Coordinate] {
    offsets.map { offset in
      var lngE7 = Int64(first.lngE7) + Int64(offset.eastE7)
      if lngE7 > 1_800_000_000 { lngE7 -= 3_600_000_000 }
      if lngE7 < -1_800_000_000 { lngE7 += 3_600_000_000 }
      return Coordinate(latE7: first.latE7 + offset.northE7, lngE7: Int32(lngE7))
    }
  }

  var box: FenceBox {
    let east = offsets.map { Int64($0.eastE7) }
    let north = offsets.map { Int64($0.northE7) }
    let (westE7, eastE7) = (east.min() ?? 0, east.max() ?? 0)
    return FenceBox(
      southE7: Int64(first.latE7) + (north.min() ?? 0),
      northE7: Int64(first.latE7) + (north.max() ?? 0),
      westE7: Int64(first.lngE7) + westE7,
      widthE7: eastE7 - westE7
    )
  }

  /// How deep a place on the map lies inside, in mm, at most `depthMaxMm`; negative outside.
  func depthMm(of place: Coordinate) -> Int64 {
    let eastE7 = Geodesy.eastE7(from: first, to: place)
    let northE7 = Int64(place.latE7) - Int64(first.latE7)
    let cosine = Cosine.ofLatitude(latE7: Int64(place.latE7))
    var isInside = false
    var nearestMm2 = Self.depthMaxMm * Self.depthMaxMm
    for stretch in stretches {
      let outside = Self.offsets(of: stretch, eastE7: eastE7, northE7: northE7)
      let hasCrossings = outside.north == 0 && eastE7 <= Int64(stretch.east.upperBound)
      let isNear =
        max(outside.east, outside.north) <= Self.nearMaxE7
        && Self.squaredMm2(Geodesy.mm(ofE7: outside.east, times: cosine), Geodesy.mm(ofE7: outside.north))
          <= nearestMm2
      guard hasCrossings || isNear else { continue }
      for number in stretch.sides {
        let from = offsets[Int(number)]
        let to = offsets[Int(number) + 1 == offsets.count ? 0 : Int(number) + 1]
        let (a, b) = (
          (x: Int64(from.eastE7) - eastE7, y: Int64(from.northE7) - northE7),
          (x: Int64(to.eastE7) - eastE7, y: Int64(to.northE7) - northE7)
        )
        if (a.y > 0) != (b.y > 0), (a.x * b.y - a.y * b.x > 0) == (b.y > a.y) { isInside.toggle() }
        if isNear { Self.measure(a, b, cosine, &nearestMm2) }
      }
    }
    let distanceMm = Geodesy.roundedSquareRoot(nearestMm2)
    return isInside ? distanceMm : -distanceMm
  }

  /// 1°: sides further to one side are further away than `depthMaxMm`, up to ±85°.
  private static let nearMaxE7: Int64 = 10_000_000

  private typealias Point = (x: Int64, y: Int64)

  /// Lowers `nearestMm2` to the square of the distance from the middle of the plane to a side, in 1e-7 degree.
  private static func measure(_ a: Point, _ b: Point, _ cosine: Int64, _ nearestMm2: inout Int64) {
    let (ax, ay) = (Geodesy.mm(ofE7: a.x, times: cosine), Geodesy.mm(ofE7: a.y))
    let (bx, by) = (Geodesy.mm(ofE7: b.x, times: cosine), Geodesy.mm(ofE7: b.y))
    let (dx, dy) = (bx - ax, by - ay)
    let lengthMm2 = dx * dx + dy * dy
    let along = -(ax * dx + ay * dy)
    if along <= 0 {
      nearestMm2 = min(nearestMm2, squaredMm2(ax, ay))
    } else if along >= lengthMm2 {
      nearestMm2 = min(nearestMm2, squaredMm2(bx, by))
    } else {
      let across = Int128(ax * dy - ay * dx)
      guard across * across < Int128(nearestMm2) * Int128(lengthMm2) else { return }
      nearestMm2 = Int64(across * across / Int128(lengthMm2))
    }
  }

  private static func squaredMm2(_ eastMm: Int64, _ northMm: Int64) -> Int64 {
    eastMm * eastMm + northMm * northMm
  }

  private static func offsets(
    of stretch: Stretch,
    eastE7: Int64,
    northE7: Int64
  ) -> (east: Int64, north: Int64) {
    (
      max(0, Int64(stretch.east.lowerBound) - eastE7, eastE7 - Int64(stretch.east.upperBound)),
      max(0, Int64(stretch.north.lowerBound) - northE7, northE7 - Int64(stretch.north.upperBound))
    )
  }

  private static func stretch(of offsets: ContiguousArray<Corner>, from first: Int) -> Stretch {
    let sides = first..<min(first + Stretch.sidesMax, offsets.count)
    let ends = (sides.lowerBound...sides.upperBound).map { offsets[$0 % offsets.count] }
    let east = ends.map(\.eastE7)
    let north = ends.map(\.northE7)
    return Stretch(
      sides: Int32(sides.lowerBound)..<Int32(sides.upperBound),
      east: (east.min() ?? 0)...(east.max() ?? 0),
      north: (north.min() ?? 0)...(north.max() ?? 0)
    )
  }

  /// The area divided by the perimeter, on a plane with the scale of the middle latitude.
  private static func halfDepthMm(of offsets: ContiguousArray<Corner>, from first: Coordinate) -> Int64 {
    let north = offsets.map { Int64($0.northE7) }
    let middleE7 = Int64(first.latE7) + ((north.min() ?? 0) + (north.max() ?? 0)) / 2
    let cosine = Cosine.ofLatitude(latE7: middleE7)
    let points = offsets.map {
      (x: Geodesy.mm(ofE7: Int64($0.eastE7), times: cosine), y: Geodesy.mm(ofE7: Int64($0.northE7)))
    }
    var twiceAreaMm2: Int128 = 0
    var perimeterMm: Int64 = 0
    for (index, point) in points.enumerated() {
      let next = points[(index + 1) % points.count]
      twiceAreaMm2 += Int128(point.x) * Int128(next.y) - Int128(next.x) * Int128(point.y)
      perimeterMm += Geodesy.roundedSquareRoot(squaredMm2(next.x - point.x, next.y - point.y))
    }
    return perimeterMm == 0 ? 0 : Int64(abs(twiceAreaMm2) / Int128(2 * perimeterMm))
  }

  private static func isSamePlace(_ a: Coordinate, _ b: Coordinate) -> Bool {
    a.latE7 == b.latE7 && Geodesy.longitudeDeltaE7(a, b) == 0
  }
}

// In a journal.
extension FencePolygon {
  func write(to record: inout RecordWriter) {
    record.bytes.number(offsets.count)
    for corner in corners { record.coordinate(corner) }
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    let count = try record.bytes.count(bytesEach: 8, max: FenceRules.cornersRange.upperBound, "number of corners")
    var ring: [Coordinate] = []
    ring.reserveCapacity(count + 1)
    for _ in 0..<count { ring.append(try record.coordinate()) }
    do throws(FenceFault) { try self.init(ring: ring + ring.prefix(1)) } catch {
      throw record.fault(.impossible("polygon"))
    }
    try record.require(offsets.count == count, "number of corners")
  }
}
