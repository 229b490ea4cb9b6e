// Distances beyond 23 km compared with the great circle by libm.
import Foundation
import Game
import SeededRandom
import Testing

@Suite("Wide geodesy")
struct WideGeodesyTests {
  @Test("Up to 240 km and 85 degrees distances are within a hundred-thousandth of the great circle, and symmetric")
  func againstHaversine() throws {
    let worst = try GeodesyTests.worstError(
      upToM: 240_000,
      roundingMm: 1.5,
      seed: 20_261_201,
      of: WideGeodesy.distanceMm
    )
    #expect(worst < 0.000_01)
  }

  @Test("Near distances are those of the geodesy of positions, within its tenth of a per cent")
  func againstGeodesy() throws {
    var random = SplitMix64(seed: 20_261_202)
    for _ in 0..<20_000 {
      let a = Coordinate(
        latE7: .random(in: -850_000_000...850_000_000, using: &random),
        lngE7: .random(in: -1_800_000_000...1_800_000_000, using: &random)
      )
      let bearing = Double.random(in: 0..<2 * .pi, using: &random)
      guard
        let b = GeodesyTests.going(.random(in: 0...20_000, using: &random), bearing: bearing, from: a),
        let nearMm = Geodesy.distanceMm(a, b)
      else { continue }
      let wideMm = try #require(WideGeodesy.distanceMm(a, b))
      #expect(abs(wideMm - nearMm) <= 2 + nearMm / 1_000)
    }
  }

  @Test("Far places have no distance, and any two places on the map are calculated without a trap")
  func far() {
    let corners: [Coordinate] = [-850_000_000, -1, 0, 850_000_000].flatMap { latE7 in
      [-1_800_000_000, -360_000_001, 0, 360_000_000, 1_800_000_000].map { Coordinate(latE7: latE7, lngE7: $0) }
    }
    for a in corners {
      for b in corners {
        let distanceMm = WideGeodesy.distanceMm(a, b)
        #expect(distanceMm == WideGeodesy.distanceMm(b, a))
        if GeodesyTests.haversineM(a, b) > 500_000 { #expect(distanceMm == nil) }
      }
    }
    let edge = Coordinate(latE7: 0, lngE7: 1_800_000_000)
    #expect(WideGeodesy.distanceMm(edge, Coordinate(latE7: 0, lngE7: -1_800_000_000)) == 0)
  }
}
