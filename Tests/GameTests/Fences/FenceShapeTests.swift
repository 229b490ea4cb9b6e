// The checks of a fence and the depth of a place in it: compared with a referee in floating point that has no code of
// the rules.
import Foundation
import Game
import SeededRandom
import Testing

@Suite("Fences: shapes")
struct FenceShapeTests {
  private let ground = TestGround()

  private func ring(_ corners: [(Double, Double)]) -> [Coordinate] { corners.map { ground.at($0.0, $0.1) } }

  @Test("Circles have 5 m to 50 km of radius and a centre on the map")
  func circles() throws {
    let center = ground.at(0, 0)
    for radiusMm in [5_000, 50_000_000] as [Int64] { _ = try FenceCircle(center: center, radiusMm: radiusMm) }
    for radiusMm in [4_999, 50_000_001, 0, -1, .max, .min] as [Int64] {
      #expect(throws: FenceFault.radiusOutOfRange(mm: radiusMm)) { try FenceCircle(center: center, radiusMm: radiusMm) }
    }
    let places: [(Int32, Int32, FenceFault)] = [
      (850_000_001, 0, .nearPole(0)), (-900_000_000, 5, .nearPole(0)), (900_000_001, 0, .offTheMap(0)),
      (0, 1_800_000_001, .offTheMap(0)), (.min, .min, .offTheMap(0)), (.max, .max, .offTheMap(0)),
    ]
    for (latE7, lngE7, fault) in places {
      #expect(throws: fault) {
        try FenceCircle(center: Coordinate(latE7: latE7, lngE7: lngE7), radiusMm: 5_000)
      }
    }
  }

  @Test("A polygon has a fault of its own for each rule that it breaks")
  func polygons() {
    let square = [(0.0, 0.0), (100, 0), (100, 100), (0, 100), (0, 0)]
    #expect(throws: Never.self) { try FencePolygon(ring: ring(square)) }
    #expect(throws: FenceFault.tooFewCorners) { try FencePolygon(ring: []) }
    #expect(throws: FenceFault.notClosed) { try FencePolygon(ring: ring(square.dropLast())) }
    #expect(throws: FenceFault.tooFewCorners) { try FencePolygon(ring: ring([(0, 0), (100, 0), (0, 0)])) }
    #expect(throws: FenceFault.tooFewCorners) { try FencePolygon(ring: ring([(0, 0), (0, 0)])) }
    #expect(throws: FenceFault.crossesItself(0, 2)) {
      try FencePolygon(ring: ring([(0, 0), (100, 100), (100, 0), (0, 100), (0, 0)]))
    }
    // A spike, and a corner that touches a side.
    #expect(throws: FenceFault.self) { try FencePolygon(ring: ring([(0, 0), (100, 0), (50, 0), (50, 50), (0, 0)])) }
    #expect(throws: FenceFault.self) {
      try FencePolygon(ring: ring([(0, 0), (100, 0), (100, 100), (50, 0), (0, 100), (0, 0)]))
    }
    var random = SplitMix64(seed: 1)
    let most = TestGround.star(&random, 0, 0, radiusM: 5_000, corners: 1_000)
    #expect(throws: Never.self) { try FencePolygon(ring: ring(most + most.prefix(1))) }
    let more = TestGround.star(&random, 0, 0, radiusM: 5_000, corners: 1_001)
    #expect(throws: FenceFault.tooManyVertices(1_001)) { try FencePolygon(ring: ring(more + more.prefix(1))) }
    #expect(throws: FenceFault.tooWide(1)) {
      try FencePolygon(ring: ring([(0, 0), (100_500, 0), (0, 50_000), (0, 0)]))
    }
    #expect(throws: Never.self) { try FencePolygon(ring: ring([(0, 0), (99_000, 0), (0, 50_000), (0, 0)])) }
    #expect {
      try FencePolygon(ring: ring([(0, 0), (100, 0), (100, 1), (0, 1), (0, 0)]))
    } throws: { error in
      if case FenceFault.tooNarrow = error { true } else { false }
    }
    let north = Coordinate(latE7: 850_000_001, lngE7: 0)
    #expect(throws: FenceFault.nearPole(2)) {
      try FencePolygon(ring: ring([(0, 0), (1, 0)]) + [north] + ring([(0, 0)]))
    }
    let faults = [
      FenceFault.tooWide(3), .crossesItself(1, 2), .offTheMap(7), .nearPole(7), .tooNarrow(halfDepthMm: 12),
    ]
    for fault in faults { #expect("\(fault)".contains { $0.isNumber }) }
    #expect(Set(faults.map(\.code)).count == faults.count)
  }

  @Test("Name, topic, dwelling and times have their bounds")
  func bounds() throws {
    let shape = FenceShape.circle(try FenceCircle(center: ground.at(0, 0), radiusMm: 50_000))
    func make(_ name: String = "공원", _ topic: String = "", _ dwellS: Int64? = nil, _ timesMs: Int64?...) throws {
      let times = timesMs.map { $0.map(Instant.init(milliseconds:)) } + [nil, nil]
      _ = try Fence(
        id: FenceID(1),
        name: name,
        topic: topic,
        shape: shape,
        dwellS: dwellS,
        opensAt: times[0],
        closesAt: times[1]
      )
    }
    try make(String(repeating: "가", count: 100), String(repeating: "t", count: 64), 86_400, 0, 1)
    #expect(throws: FenceFault.name(.empty)) { try make("") }
    #expect(throws: FenceFault.name(.onlyWhiteSpace)) { try make(" ") }
    #expect(throws: FenceFault.name(.tooLong(charactersMax: 100))) { try make(String(repeating: "가", count: 101)) }
    #expect(throws: FenceFault.topic(.tooLong(charactersMax: 64))) { try make("a", String(repeating: "t", count: 65)) }
    #expect(throws: FenceFault.topic(.controlCharacter)) { try make("a", "\u{7}") }
    for dwellS in [0, -1, 86_401, .max] as [Int64] {
      #expect(throws: FenceFault.dwellOutOfRange(dwellS)) { try make("a", "", dwellS) }
    }
    #expect(throws: FenceFault.timeOutOfRange) { try make("a", "", nil, -1) }
    #expect(throws: FenceFault.timeOutOfRange) { try make("a", "", nil, nil, .max) }
    #expect(throws: FenceFault.closesBeforeOpening) { try make("a", "", nil, 5, 5) }
    #expect(throws: FenceFault.tooLarge(bytes: 65_537)) { try Fence.check(bytes: 65_537) }
    #expect(throws: Never.self) { try Fence.check(bytes: 65_536) }
  }

  @Test("Depths in circles are the radius less the great circle, up to 50 km and 85 degrees, across the date line too")
  func circleDepths() throws {
    let seed: UInt64 = 20_261_203
    var random = SplitMix64(seed: seed)
    var checked = 0
    while checked < 20_000 {
      let isAtDateLine = random.chance(30)
      let center = Coordinate(
        latE7: .random(in: -850_000_000...850_000_000, using: &random),
        lngE7: isAtDateLine
          ? random.chance(50) ? 1_799_990_000 : -1_800_000_000
          : .random(in: -1_800_000_000...1_800_000_000, using: &random)
      )
      let radiusM = 5 * pow(10_000, Double.random(in: 0...1, using: &random))
      let awayM = radiusM * Double.random(in: 0...2, using: &random)
      let bearing = Double.random(in: 0..<2 * .pi, using: &random)
      guard let place = GeodesyTests.going(awayM, bearing: bearing, from: center) else { continue }
      let circle = FenceShape.circle(try FenceCircle(center: center, radiusMm: Int64(radiusM * 1_000)))
      let expectedMm = radiusM * 1_000 - GeodesyTests.haversineM(center, place) * 1_000
      #expect(abs(Double(circle.depthMm(of: place)) - expectedMm) < 3 + awayM * 0.01, "seed \(seed)")
      checked += 1
    }
  }

  @Test("An outline has corners of the polygon in their order, as many as it may, and those that stand out")
  func outlines() throws {
    let ground = TestGround(latE7: 0, lngE7: 1_800_000_000)
    let round = (0..<400).map { number in
      let angle = Double(number) * 2 * .pi / 400
      return (40_000 * cos(angle), (number == 130 ? 60_000 : 40_000) * sin(angle))
    }
    let polygon = try ground.polygon(round)
    let corners = polygon.corners
    let outline = polygon.outline(verticesMax: 64)
    let places = outline.compactMap { corners.firstIndex(of: $0) }
    #expect(outline.count == 64 && places.count == 64 && places == places.sorted())
    #expect(places.contains(130))
    let triangle = try ground.polygon([(0, 0), (500, 0), (0, 500)])
    #expect(triangle.outline(verticesMax: 64) == triangle.corners)
    #expect(polygon.outline(verticesMax: 0).count == 3)
  }

  @Test("Depths in polygons are those of a referee on a plane, on any side of the Earth")
  func polygonDepths() throws {
    let seed: UInt64 = 20_261_204
    var random = SplitMix64(seed: seed)
    for number in 0..<600 {
      let ground = TestGround(
        latE7: .random(in: -840_000_000...840_000_000, using: &random),
        lngE7: number.isMultiple(of: 3)
          ? [1_800_000_000, -1_800_000_000, 1_799_999_000][number / 3 % 3]
          : .random(in: -1_800_000_000...1_800_000_000, using: &random)
      )
      let radiusM = 30 * pow(50, Double.random(in: 0...1, using: &random))
      let corners = TestGround.star(&random, 0, 0, radiusM: radiusM, corners: random.draw(3...60))
      let shape = FenceShape.polygon(try ground.polygon(corners))
      let referee = PlaneReferee(corners)
      #expect(abs(Double(shape.halfDepthMm) / 1_000 - referee.halfDepthM) < 0.1 + referee.halfDepthM * 0.01)
      for _ in 0..<40 {
        let (eastM, northM) = (
          Double.random(in: -1.5...1.5, using: &random) * radiusM,
          Double.random(in: -1.5...1.5, using: &random) * radiusM
        )
        let expectedM = max(-2_000, min(2_000, referee.depthM(eastM, northM)))
        let actualM = Double(shape.depthMm(of: ground.at(eastM, northM))) / 1_000
        // The referee's plane has the scale of one latitude, by up to 0.6 % off at 84 degrees.
        #expect(abs(actualM - expectedM) < 0.05 + radiusM * 0.008, "seed \(seed), polygon \(number)")
      }
    }
  }

  @Test("A wide polygon and a circle at the edge of the map are judged anywhere on the map without a trap")
  func anywhere() throws {
    var random = SplitMix64(seed: 20_261_205)
    var shapes: [FenceShape] = []
    for latE7 in [-850_000_000, 0, 850_000_000] as [Int32] {
      for lngE7 in [-1_800_000_000, 0, 1_800_000_000] as [Int32] {
        let center = Coordinate(latE7: latE7, lngE7: lngE7)
        shapes.append(.circle(try FenceCircle(center: center, radiusMm: 50_000_000)))
        let ring = [0.1, 2.2, 4.2].compactMap { bearing in
          GeodesyTests.going(
            latE7 == 0 ? 55_000 : 45_000,
            bearing: latE7 > 0 ? 3.1 + bearing / 9 : bearing / 3,
            from: center
          )
        }
        let corners = [center] + ring.reversed()
        if ring.count == 3, let polygon = try? FencePolygon(ring: corners + [center]) {
          shapes.append(.polygon(polygon))
        }
      }
    }
    #expect(shapes.count > 12)
    for shape in shapes {
      for _ in 0..<500 {
        let place = Coordinate(
          latE7: random.chance(10) ? 850_000_000 : .random(in: -850_000_000...850_000_000, using: &random),
          lngE7: random.chance(10) ? -1_800_000_000 : .random(in: -1_800_000_000...1_800_000_000, using: &random)
        )
        #expect(shape.depthMm(of: place) < 50_000_001)
      }
    }
    let edge = Coordinate(latE7: 850_000_000, lngE7: 1_800_000_000)
    #expect(shapes.contains { $0.depthMm(of: edge) == 50_000_000 })
    #expect(shapes.contains { $0.depthMm(of: Coordinate(latE7: 847_000_000, lngE7: -1_799_000_000)) > 10_000_000 })
  }
}

/// A polygon on a plane, in floating point: winding number and distances to its sides.
struct PlaneReferee {
  private let corners: [(Double, Double)]

  init(_ corners: [(Double, Double)]) {
    self.corners = corners
  }

  private var sides: [((Double, Double), (Double, Double))] {
    corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
  }

  var halfDepthM: Double {
    let twiceArea = sides.reduce(0) { $0 + $1.0.0 * $1.1.1 - $1.1.0 * $1.0.1 }
    return abs(twiceArea) / 2 / sides.reduce(0) { $0 + hypot($1.1.0 - $1.0.0, $1.1.1 - $1.0.1) }
  }

  func depthM(_ eastM: Double, _ northM: Double) -> Double {
    var turn = 0.0
    var nearestM = Double.infinity
    for (a, b) in sides {
      let (ax, ay, bx, by) = (a.0 - eastM, a.1 - northM, b.0 - eastM, b.1 - northM)
      turn += atan2(ax * by - ay * bx, ax * bx + ay * by)
      let share = max(0, min(1, -(ax * (bx - ax) + ay * (by - ay)) / (pow(bx - ax, 2) + pow(by - ay, 2))))
      nearestM = min(nearestM, hypot(ax + share * (bx - ax), ay + share * (by - ay)))
    }
    return abs(turn) > .pi ? nearestM : -nearestM
  }
}
