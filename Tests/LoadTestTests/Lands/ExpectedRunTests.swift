// The bots' own calculation of their runs around lands.
import MadangProtocol
import Testing
import madang_loadtest

@Suite struct ExpectedRunTests {
  /// A square of 80 m with a vertex every 8 m, 40 in all.
  private func square() throws -> LandRing {
    let plane = Plane(latE7: 375_000_000, lngE7: 1_267_000_000)
    let corners = [(0, 0), (80, 0), (80, 80), (0, 80), (0, 0)].map { Spot(x: $0.0, y: $0.1) }
    var land = WireRoomLand()
    land.landID = "square"
    for (from, to) in zip(corners, corners.dropFirst()) {
      for part in 0..<10 {
        let share = Double(part) / 10
        let vertex = plane.coordinate(Spot(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share))
        land.latE7.append(vertex.latE7)
        land.lngE7.append(vertex.lngE7)
      }
    }
    return try #require(LandRing(land))
  }

  @Test("A ring is as long as its sides, and a capture needs more than 95 of 100 vertices")
  func ring() throws {
    let ring = try square()
    #expect(abs(ring.lengthM - 320) < 0.5)
    #expect(ring.vertices.count == 40 && ring.needed == 39)
    #expect(LandRing(WireRoomLand()) == nil)
    var lopsided = WireRoomLand()
    lopsided.latE7 = [1, 2]
    lopsided.lngE7 = [1]
    #expect(LandRing(lopsided) == nil)
  }

  @Test("A path within 5 m surely visits a vertex; near that border the visit is possible")
  func reach() throws {
    let ring = try square()
    var run = ExpectedRun(around: ring, from: Spot(x: -1, y: -4), at: 0)
    #expect(run.perhapsVisited == 0)
    run.walk(to: Spot(x: 41, y: -4), at: 2)
    #expect(run.surelyVisited == 6 && run.perhapsVisited == 6)
    run.walk(to: Spot(x: 72, y: -40), at: 4)
    #expect(run.perhapsVisited == 6)
    run.walk(to: Spot(x: 72, y: -5.1), at: 5)
    #expect(run.surelyVisited == 6 && run.perhapsVisited == 7)
    run.walk(to: Spot(x: 72, y: -4.7), at: 6)
    #expect(run.surelyVisited == 7 && run.perhapsVisited == 7)
  }

  @Test("A segment of about 3 s possibly visits, a longer one does not")
  func gaps() throws {
    let ring = try square()
    var run = ExpectedRun(around: ring, from: Spot(x: 0, y: 0), at: 0)
    run.walk(to: Spot(x: 24, y: 0), at: 3)
    #expect(run.surelyVisited == 0 && run.perhapsVisited == 4)
    run.walk(to: Spot(x: 72, y: 0), at: 8)
    #expect(run.surelyVisited == 0 && run.perhapsVisited == 4)
    run.walk(to: Spot(x: 80, y: 0), at: 9)
    #expect(run.surelyVisited == 2 && run.perhapsVisited == 6)
  }

  @Test("A run captures after enough visits, and not faster than a lap at the greatest speed")
  func capture() throws {
    let ring = try square()
    let corners = [(80, 0), (80, 80), (0, 80)].map { Spot(x: $0.0, y: $0.1) }
    var run = ExpectedRun(around: ring, from: Spot(x: 0, y: 0), at: 0)
    for (number, corner) in corners.enumerated() { run.walk(to: corner, at: Double(number + 1) * 2) }
    #expect(run.isCaptured(at: 6, speedMaxM: 40) == false)
    run.walk(to: Spot(x: 0, y: 13), at: 8)
    #expect(run.surelyVisited == 39)
    // 320 m take 8 s at 40 m/s, and 25.6 s at 12.5.
    #expect(run.isCaptured(at: 6.9, speedMaxM: 40) == false)
    #expect(run.isCaptured(at: 8, speedMaxM: 40) == nil)
    #expect(run.isCaptured(at: 9.1, speedMaxM: 40) == true)
    #expect(run.isCaptured(at: 20, speedMaxM: 12.5) == false)
  }
}
