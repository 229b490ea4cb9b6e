// The plane of the bots' geometry: there and back, and shapes on it.
import MadangProtocol
import Testing
import madang_loadtest

@Suite struct PlaneTests {
  @Test(
    "A place survives the projection to the plane and back",
    arguments: [(0, 0), (375_665_000, 1_269_780_000), (-849_000_000, -1_790_000_000)]
  )
  func roundTrip(latE7: Int32, lngE7: Int32) {
    let plane = Plane(latE7: latE7, lngE7: lngE7)
    #expect(plane.spot(latE7: latE7, lngE7: lngE7) == Spot(x: 0, y: 0))
    for (north, east) in [(1, 0), (0, 1), (-90_000, 120_000), (7, -450_001)] as [(Int32, Int32)] {
      let spot = plane.spot(latE7: latE7 + north, lngE7: lngE7 + east)
      let back = plane.coordinate(spot)
      #expect(back.latE7 == latE7 + north && back.lngE7 == lngE7 + east)
    }
  }

  @Test("Metres on the plane are metres on Earth, within a thousandth")
  func metres() {
    let plane = Plane(latE7: 375_665_000, lngE7: 1_269_780_000)
    let middle = plane.coordinate(Spot(x: 0, y: 0))
    for spot in [Spot(x: 100, y: 0), Spot(x: 0, y: 100), Spot(x: -300, y: 400), Spot(x: 1_000, y: -1_000)] {
      let metres = Spot(x: 0, y: 0).metres(to: spot)
      #expect(abs(middle.metres(to: plane.coordinate(spot)) - metres) < metres / 1_000)
    }
  }

  private let house = Polygon(
    [(0, 0), (40, 0), (40, 30), (20, 10), (0, 30)].map { Spot(x: $0.0, y: $0.1) }
  )

  @Test("A polygon contains its inside, by the even-odd rule")
  func polygon() {
    #expect(house.areaM2 == 800)
    for (x, y, isInside) in [
      (5, 5, true), (35, 20, true), (20, 9, true), (20, 11, false), (-1, 5, false), (41, 5, false), (20, 29, false),
    ] as [(Double, Double, Bool)] {
      #expect(house.contains(Spot(x: x, y: y)) == isInside, "\(x) \(y)")
    }
    let bow = Polygon([(0, 0), (10, 10), (10, 0), (0, 10)].map { Spot(x: $0.0, y: $0.1) })
    #expect(bow.contains(Spot(x: 2, y: 5)) && bow.contains(Spot(x: 8, y: 5)))
    #expect(!bow.contains(Spot(x: 5, y: 2)) && !bow.contains(Spot(x: 5, y: 8)))
  }

  @Test("The distance to a polygon's line is that to its nearest side or corner")
  func edge() {
    #expect(house.metresToEdge(from: Spot(x: 20, y: -7)) == 7)
    #expect(house.metresToEdge(from: Spot(x: 43, y: -4)) == 5)
    #expect(house.metresToEdge(from: Spot(x: 3, y: 10)) == 3)
  }
}
