// The vertices that the segments between fixes visit: the distance of a visit, and the fixes that make a segment.
import Game
import Testing

@Suite("Land mode: visits")
struct LandVisitTests {
  @Test("A vertex is visited when the segment between two accepted fixes passes within 5 m")
  func visiting() throws {
    for (northM, visited) in [(-4.99, 7), (-5.01, 0), (4.99, 9), (5.01, 2)] {
      var test = try TestLands.game([try TestLands.square()])
      // Along the southern side, seven vertices with both corners; inside also the next ones of the sides at both ends.
      let notices = test.walk(0, [(northM, 0), (northM, 12.1), (northM, 24.2), (northM, 32.2), (northM, 40)])
      #expect(notices.last?.visited == visited, "\(northM) m")
    }
  }

  @Test("A vertex beyond a segment's end is not visited, but one within 5 m of the end is")
  func segmentEnds() throws {
    var test = try TestLands.game([try TestLands.square()])
    // Of the vertices at 0, 6.67, 13.33, 20 … m.
    #expect(test.walk(0, [(0, -5.1), (0, -5.01)]).last?.visited == 0)
    #expect(test.walk(0, [(0, -4.99)]).last?.visited == 1)
    #expect(test.walk(0, [(0, 1.6)]).isEmpty)
    #expect(test.walk(0, [(0, 1.7)]).last?.visited == 2)
    #expect(test.walk(0, [(0, 15.1)]).last?.visited == 4)
  }

  @Test("A vertex counts once, however often it is passed")
  func again() throws {
    var test = try TestLands.game([try TestLands.square()])
    test.walk(0, [(0, 0), (0, 10), (0, 0), (0, 10)])
    #expect(test.room.run(of: 0, at: test.now)?.visited == 3)
  }

  @Test("A segment connects two fixes with a gap of at most 3 s; a longer gap visits nothing")
  func gaps() throws {
    for (gapMs, visited) in [(3_000, 6), (3_001, 0)] {
      var test = try TestLands.game([try TestLands.square()])
      test.walk(0, [(0, 0)], waiting: .milliseconds(gapMs))
      #expect(test.walk(0, [(0, 30)]).map(\.visited) == (visited > 0 ? [visited] : []))
      // From the second fix on the run continues.
      test.walk(0, [(0, 31)])
      #expect(test.room.run(of: 0, at: test.now)?.visited == (visited > 0 ? 6 : 2))
    }
  }

  @Test("The gap is measured by the fixes' own times: a delay in the network is no gap")
  func gapsOfPhone() throws {
    for (phoneMs, visited) in [(3_000, 6), (3_001, 0)] {
      var test = try TestLands.game([try TestLands.square()])
      let first = test.now
      test.walk(0, [(0, 0)], waiting: .seconds(20))
      let there = TestLands.coordinate(northM: 0, eastM: 30)
      let time = first + .milliseconds(phoneMs)
      #expect(test.move(0, Fix(latE7: there.latE7, lngE7: there.lngE7, accuracyM: 5, time: time)) == nil)
      #expect(test.room.run(of: 0, at: test.now)?.visited == visited)
    }
  }

  @Test("An ignored or refused fix between two accepted ones changes nothing")
  func refusedBetween() throws {
    var test = try TestLands.game([try TestLands.square()])
    test.walk(0, [(0, 0)])
    test.move(0, Yard.fix(northM: 900, eastM: 0, mocked: true))
    test.move(0, Yard.fix(northM: 900, eastM: 0, accuracyM: 51))
    test.wait(.seconds(1))
    #expect(test.walk(0, [(0, 20)]).map(\.visited) == [4])
  }

  @Test("Fixes of a suspect, and the anchor that ends the suspicion, visit nothing and begin nothing")
  func disbelieved() throws {
    let land = try TestLands.square()
    for isRunning in [true, false] {
      var test = try TestLands.game([land])
      if isRunning { test.walk(0, land.vertices.prefix(2)) }
      test.becomeSuspect(0)
      // Eleven fixes reach over ten seconds: the last is the anchor.
      #expect(test.walk(0, land.vertices[2..<13]).isEmpty)
      #expect(!test.room.isSuspect(seat: 0))
      #expect(test.room.run(of: 0, at: test.now)?.visited == (isRunning ? 2 : nil))
      // The way from the anchor on is not believed either; that from the next fix on is.
      let notices = test.walk(0, land.vertices[13..<15])
      #expect(notices.map(\.visited) == (isRunning ? [4] : [0, 2]))
    }
  }

  @Test("No segment crosses the fixes of a suspect, whatever times the phone sends")
  func disbelievedWay() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land])
    test.walk(0, land.vertices.prefix(2))
    test.becomeSuspect(0)
    var time = test.now
    // From fix to fix a second on the phone, and a tenth of a second on the server's clock.
    test.wait(.seconds(14))
    for vertex in [2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5].map({ land.vertices[$0] }) {
      time = time + .seconds(1)
      test.move(0, Fix(latE7: vertex.latE7, lngE7: vertex.lngE7, accuracyM: 5, time: time))
      test.wait(.milliseconds(100))
    }
    #expect(!test.room.isSuspect(seat: 0))
    #expect(test.room.run(of: 0, at: test.now)?.visited == 3, "the first two vertices, and the current one")
  }

  @Test("A metre has the same length at the far end of a wide land near the pole, and across the antimeridian")
  func farEnd() throws {
    let places =
      [(848_000_000, 100), (849_900_000, 100), (849_900_000, 1_799_999_900), (0, 1_799_999_900)] as [(Int32, Int32)]
    for (latE7, lngE7) in places {
      let first = Coordinate(latE7: latE7, lngE7: lngE7)
      let corners = [(0.0, 1.5), (19_000, 1.5), (19_000, 1.6)].compactMap { distanceM, bearing in
        GeodesyTests.going(distanceM, bearing: bearing, from: first)
      }
      let vertices = try LandSurvey.vertices(ofRing: corners + corners.prefix(1))
      let corner = try #require(vertices.firstIndex(of: corners[1]))
      for (offM, visited) in [(4.95, 1), (5.05, 0)] {
        var test = try TestLands.game([Land(id: LandID(1), name: "", vertices: vertices)])
        // Past the corner at the given distance, on a way away from the ring.
        let beside = try #require(GeodesyTests.going(offM, bearing: 1.55, from: vertices[corner]))
        let way = try [0.02, 6].map { try #require(GeodesyTests.going($0, bearing: 1.55 - .pi / 2, from: beside)) }
        test.walk(0, way)
        #expect(test.room.run(of: 0, at: test.now)?.visited == visited, "\(first), \(offM) m")
      }
    }
  }
}
