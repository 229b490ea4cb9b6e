// Distances compared with the great circle by libm, which is what the rules mean.
import SeededRandom
import Foundation
import Game
import Testing

@Suite("Geodesy")
struct GeodesyTests {
  /// The great circle on a sphere of the Earth's mean radius, in metres.
  static func haversineM(_ a: Coordinate, _ b: Coordinate) -> Double {
    func radians(_ e7: Int32) -> Double { Double(e7) * 1e-7 * .pi / 180 }
    let (latA, latB) = (radians(a.latE7), radians(b.latE7))
    let lat = sin((latB - latA) / 2)
    let lng = sin((radians(b.lngE7) - radians(a.lngE7)) / 2)
    return 2 * 6_371_008.8 * asin(min(1, (lat * lat + cos(latA) * cos(latB) * lng * lng).squareRoot()))
  }

  /// The place at this distance from `start` in a straight line.
  static func going(_ distanceM: Double, bearing: Double, from start: Coordinate) -> Coordinate? {
    let lat = Double(start.latE7) * 1e-7 * .pi / 180
    let lng = Double(start.lngE7) * 1e-7 * .pi / 180
    let angle = distanceM / 6_371_008.8
    let endLat = asin(sin(lat) * cos(angle) + cos(lat) * sin(angle) * cos(bearing))
    let endLng = lng + atan2(sin(bearing) * sin(angle) * cos(lat), cos(angle) - sin(lat) * sin(endLat))
    let latE7 = (endLat * 180 / .pi * 1e7).rounded()
    var lngE7 = (endLng * 180 / .pi * 1e7).rounded()
    if lngE7 > 1.8e9 { lngE7 -= 3.6e9 }
    if lngE7 < -1.8e9 { lngE7 += 3.6e9 }
    return abs(latE7) <= 850_000_000 ? Coordinate(latE7: Int32(latE7), lngE7: Int32(lngE7)) : nil
  }

  /// The worst share by which 50,000 distances, as many short ones as long ones, differ from the great circle's by more
  /// than `roundingMm`.
  static func worstError(
    upToM longestM: Double,
    roundingMm: Double,
    seed: UInt64,
    of distanceMm: (Coordinate, Coordinate) -> Int64?
  ) throws -> Double {
    var random = SplitMix64(seed: seed)
    var checked = 0
    var worst = 0.0
    while checked < 50_000 {
      let a = Coordinate(
        latE7: .random(in: -850_000_000...850_000_000, using: &random),
        lngE7: .random(in: -1_800_000_000...1_800_000_000, using: &random)
      )
      let distanceM = pow(longestM, Double.random(in: 0...1, using: &random))
      let bearing = Double.random(in: 0..<2 * .pi, using: &random)
      guard let b = going(distanceM, bearing: bearing, from: a) else { continue }
      let expectedMm = haversineM(a, b) * 1_000
      let actualMm = try #require(distanceMm(a, b), "seed \(seed)")
      #expect(distanceMm(b, a) == actualMm)
      worst = max(worst, max(0, abs(Double(actualMm) - expectedMm) - roundingMm) / expectedMm)
      checked += 1
    }
    return worst
  }

  @Test("Distances are within 0.1 % of the great circle up to 20 km and 85 degrees, and symmetric")
  func againstHaversine() throws {
    // Half a millimetre north, half a millimetre east, half a millimetre for the root.
    let worst = try Self.worstError(upToM: 20_000, roundingMm: 1.3, seed: 20_260_101, of: Geodesy.distanceMm)
    #expect(worst < 0.001)
  }

  @Test("Up to 100 m distances are right to the millimetre")
  func shortDistances() throws {
    let seed: UInt64 = 20_260_102
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let a = Coordinate(
        latE7: .random(in: -600_000_000...600_000_000, using: &random),
        lngE7: .random(in: -1_800_000_000...1_800_000_000, using: &random)
      )
      let distanceM = Double.random(in: 0...100, using: &random)
      let bearing = Double.random(in: 0..<2 * .pi, using: &random)
      guard let b = Self.going(distanceM, bearing: bearing, from: a) else { continue }
      let actualMm = try #require(Geodesy.distanceMm(a, b))
      #expect(abs(Double(actualMm) - Self.haversineM(a, b) * 1_000) < 1.3, "seed \(seed)")
    }
  }

  @Test("The distance to the nearest of many points is the smallest one; a point beyond 23 km has none")
  func nearest() {
    var random = SplitMix64(seed: 20_260_102)
    for _ in 0..<500 {
      let place = Coordinate(
        latE7: .random(in: -850_000_000...850_000_000, using: &random),
        lngE7: .random(in: -1_800_000_000...1_800_000_000, using: &random)
      )
      let others = ContiguousArray(
        (0..<20).compactMap { _ in
          let reachM = random.chance(20) ? 60_000.0 : 300.0
          return Self.going(
            .random(in: 0...reachM, using: &random),
            bearing: .random(in: 0...6, using: &random),
            from: place
          )
        }
      )
      let nearestMm = others.compactMap { Geodesy.distanceMm(place, $0) }.min()
      #expect(Geodesy.distanceMm(place, toNearestOf: others) == nearestMm)
    }
    let far = Coordinate(latE7: 400_000_000, lngE7: 0)
    #expect(Geodesy.distanceMm(Coordinate(latE7: 0, lngE7: 0), toNearestOf: [far]) == nil)
  }

  @Test("The cosine table is right to 1e-7 from pole to pole")
  func cosines() {
    for latE7 in stride(from: -900_000_000 as Int64, through: 900_000_000, by: 123_457) {
      let expected = cos(Double(latE7) * 1e-7 * .pi / 180)
      let actual = Double(Cosine.ofLatitude(latE7: latE7)) / Double(1 << Cosine.fractionBits)
      #expect(abs(actual - expected) < 1e-7)
    }
    #expect(Cosine.ofLatitude(latE7: 0) == 1 << 30)
    #expect(Cosine.ofLatitude(latE7: 900_000_000) == 0)
    #expect(Cosine.ofLatitude(latE7: 600_000_000) == 1 << 29)
    #expect(Cosine.ofLatitude(latE7: -600_000_000) == 1 << 29)
  }

  @Test("Crossing the date line adds no distance")
  func dateLine() {
    let west = Coordinate(latE7: 0, lngE7: 1_799_999_500)
    let east = Coordinate(latE7: 0, lngE7: -1_799_999_500)
    #expect(Geodesy.distanceMm(west, east) == 11_120)
    let edge = Coordinate(latE7: 0, lngE7: 1_800_000_000)
    #expect(Geodesy.distanceMm(edge, Coordinate(latE7: 0, lngE7: -1_800_000_000)) == 0)
  }

  @Test("Beyond 23 km to the north or east the distance is far, and exceeds every limit")
  func far() {
    let start = Coordinate(latE7: 0, lngE7: 0)
    let near = Coordinate(latE7: 2_068_000, lngE7: 2_068_000)
    #expect(Geodesy.distanceMm(start, near) != nil)
    #expect(Geodesy.isWithin(.max, start, near))
    for end in [
      Coordinate(latE7: 2_069_000, lngE7: 0), Coordinate(latE7: 0, lngE7: -2_069_000),
      Coordinate(latE7: 850_000_000, lngE7: 0), Coordinate(latE7: 0, lngE7: 1_800_000_000),
      Coordinate(latE7: -850_000_000, lngE7: -1_800_000_000),
    ] {
      #expect(Geodesy.distanceMm(start, end) == nil)
      #expect(!Geodesy.isWithin(.max, start, end))
    }
    let arctic = Coordinate(latE7: 850_000_000, lngE7: 0)
    #expect(Geodesy.distanceMm(arctic, Coordinate(latE7: 850_000_000, lngE7: 30_000_001)) == nil)
    #expect(Geodesy.distanceMm(arctic, Coordinate(latE7: 850_000_000, lngE7: 20_000_000)) != nil)
  }

  @Test("A limit is exact to the millimetre")
  func limits() {
    let start = Coordinate(latE7: 0, lngE7: 0)
    let end = Coordinate(latE7: 0, lngE7: 1_000_000)
    #expect(Geodesy.distanceMm(start, end) == 11_119_508)
    #expect(Geodesy.isWithin(11_119_508, start, end))
    #expect(!Geodesy.isWithin(11_119_507, start, end))
    #expect(Geodesy.distanceMm(start, start) == 0)
    #expect(Geodesy.isWithin(0, start, start))
  }

  @Test(
    "The check without a cosine holds only where the distance is within the limit, and always where it is half of it"
  )
  func certainly() throws {
    var random = SplitMix64(seed: 0x6E_0DE5)
    var certain = 0
    for _ in 0..<100_000 {
      let start = Coordinate(
        latE7: .random(in: -600_000_000...600_000_000, using: &random),
        lngE7: .random(in: -1_800_000_000...1_800_000_000, using: &random)
      )
      let span: Int32 = [20, 2_000, 200_000, 4_000_000][Int.random(in: 0..<4, using: &random)]
      let end = Coordinate(
        latE7: start.latE7 + .random(in: -span...span, using: &random),
        lngE7: max(-1_800_000_000, min(1_800_000_000, start.lngE7 + .random(in: -span...span, using: &random)))
      )
      guard let squaredMm2 = Geodesy.squaredDistanceMm2(start, end) else {
        #expect(!Geodesy.isCertainlyWithin(2 * Geodesy.farMm, start, end))
        continue
      }
      let limitMm = Int64.random(in: 0...2 * Int64(span) * 12, using: &random)
      guard Geodesy.isCertainlyWithin(min(limitMm, 2 * Geodesy.farMm), start, end) else {
        // At 60 degrees a degree of longitude has half its length on the equator.
        let isNear = abs(start.latE7 - end.latE7) < 2_000_000 && abs(start.lngE7 - end.lngE7) < 2_000_000
        #expect(!isNear || 4 * squaredMm2 + 1_000 * Int64(span) > limitMm * limitMm)
        continue
      }
      certain += 1
      #expect(squaredMm2 <= limitMm * limitMm)
    }
    #expect(certain > 20_000)
  }
}
