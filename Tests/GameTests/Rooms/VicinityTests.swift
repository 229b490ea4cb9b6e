// The squares by which large rooms find the near ones, held to the distances themselves.
import Game
import SeededRandom
import Testing

@Suite("Rooms: vicinities")
struct VicinityTests {
  @Test(
    "Every place within 200 m is near, and none 230 m away",
    arguments: [(0, 0), (375_000_000, 1_267_000_000), (-849_990_000, -1_799_999_000), (849_000_000, 1_799_999_999)]
  )
  func near(_ latE7: Int32, _ lngE7: Int32) {
    var random = SplitMix64(seed: UInt64(latE7.magnitude))
    let wideE7 = Int(40_000 * Int64(1 << 30) / Cosine.ofLatitude(latE7: Int64(latE7)))
    func place() -> Coordinate {
      let east = Int64(lngE7) + Int64(random.draw(-wideE7...wideE7))
      return Coordinate(
        latE7: latE7 + Int32(random.draw(-40_000...40_000)),
        lngE7: Int32(east > 1_800_000_000 ? east - 3_600_000_000 : east < -1_800_000_000 ? east + 3_600_000_000 : east)
      )
    }
    var near = 0
    for _ in 0..<20_000 {
      let (one, other) = (place(), place())
      let isNear = Vicinity(of: one).isNear(other)
      near += isNear ? 1 : 0
      if Geodesy.isWithin(200_000, one, other) { #expect(isNear, "\(one) and \(other)") }
      if !Geodesy.isWithin(231_000, one, other) { #expect(!isNear, "\(one) and \(other)") }
    }
    #expect(near > 1_000 && near < 19_000)
  }

  @Test("Members of one square share their vicinity; the other side of the Earth is another")
  func squares() {
    let here = Coordinate(latE7: 1_798 * 200_000 + 10, lngE7: 1_267_000_000)
    #expect(Vicinity(of: here) == Vicinity(of: Coordinate(latE7: here.latE7 + 1_700, lngE7: here.lngE7)))
    #expect(Vicinity(of: here) != Vicinity(of: Coordinate(latE7: here.latE7 + 1_798, lngE7: here.lngE7)))
    #expect(Vicinity(of: here) != Vicinity(of: Coordinate(latE7: -here.latE7, lngE7: here.lngE7)))
    #expect(!Vicinity(of: here).isNear(Coordinate(latE7: -here.latE7, lngE7: -here.lngE7)))
  }
}
