// Valid and invalid lands, and the distances of their vertices: compared with great circles by libm.
import Game
import SeededRandom
import Testing

@Suite("Lands: the survey")
struct LandSurveyTests {
  /// A polygon around a place with corners at random distances, which therefore never crosses itself.
  private func star(_ random: inout SplitMix64, latE7: Int32, lngE7: Int32, radiusM: Double) -> [Coordinate]? {
    let center = Coordinate(latE7: latE7, lngE7: lngE7)
    let count = Int.random(in: 3...12, using: &random)
    let corners = (0..<count).compactMap { corner in
      GeodesyTests.going(
        Double.random(in: 0.4...1, using: &random) * radiusM,
        bearing: 2 * .pi * Double(corner) / Double(count),
        from: center
      )
    }
    return corners.count == count ? corners + corners.prefix(1) : nil
  }

  @Test("A land is densified so that vertices are at most 8 m apart, on the sides of its ring")
  func densified() throws {
    let seed: UInt64 = 20_261_101
    var random = SplitMix64(seed: seed)
    var surveyed = 0
    while surveyed < 150 {
      let ring = star(
        &random,
        latE7: .random(in: -849_000_000...849_000_000, using: &random),
        lngE7: .random(in: -1_800_000_000...1_800_000_000, using: &random),
        radiusM: .random(in: 20...3_000, using: &random)
      )
      guard let ring else { continue }
      let vertices: ContiguousArray<Coordinate>
      do throws(LandFault) { vertices = try LandSurvey.vertices(ofRing: ring) } catch {
        switch error {
        case .tooShort, .tooManyVertices: continue
        default: throw error
        }
      }
      surveyed += 1
      var next = 0
      for (index, vertex) in vertices.enumerated() {
        let apartM = GeodesyTests.haversineM(vertex, vertices[(index + 1) % vertices.count])
        #expect(apartM < 8.001, "seed \(seed), at \(vertex)")
        #expect(apartM > 0)
        // Each corner is a vertex, in order.
        if vertex == ring[next] { next += 1 }
      }
      #expect(next == ring.count - 1, "seed \(seed)")
    }
  }

  @Test("Parts of a long side towards a pole are at most 8 m too, although a degree is longer at one end")
  func longSides() throws {
    for latE7 in [-845_000_000, 843_000_000] as [Int32] {
      let first = Coordinate(latE7: latE7, lngE7: 70)
      let corners = [0.9, 1.3].compactMap { GeodesyTests.going(19_000, bearing: $0, from: first) } + [first]
      for ring in [corners, corners.reversed()] {
        let vertices = try LandSurvey.vertices(ofRing: ring.suffix(1) + ring)
        for (vertex, next) in zip(vertices, vertices.dropFirst()) {
          #expect(GeodesyTests.haversineM(vertex, next) < 8.001)
        }
      }
    }
  }

  @Test("Vertices that are close enough stay unchanged, and added ones are on the straight side")
  func kept() throws {
    let ring = TestLands.ring((0, 0), (0, 7.9), (7.9, 7.9), (7.9, 23.7), (15.8, 23.7), (15.8, 0))
    let vertices = try LandSurvey.vertices(ofRing: ring)
    #expect(vertices.starts(with: ring[0...2]))
    // 15.8 m in two parts, 23.7 m in three.
    #expect(vertices.count == 1 + 1 + 2 + 1 + 3 + 2)
    let half = TestLands.coordinate(northM: 7.9, eastM: 15.8)
    #expect(abs(vertices[3].latE7 - half.latE7) <= 1 && abs(vertices[3].lngE7 - half.lngE7) <= 1)
  }

  @Test("A ring that is not closed is refused")
  func notClosed() throws {
    let ring = TestLands.ring((0, 0), (0, 40), (40, 40))
    #expect(LandCrossingTests.fault(Array(ring.dropLast())) == .notClosed)
    #expect(LandCrossingTests.fault([ring[0]]) == .notClosed)
    #expect(LandCrossingTests.fault(ring) == nil)
  }

  @Test("A ring with fewer than three different corners is refused")
  func tooFewCorners() throws {
    let (a, b) = (TestLands.coordinate(northM: 0, eastM: 0), TestLands.coordinate(northM: 0, eastM: 40))
    for ring in [[], [a, a], [a, a, a, a], [a, b, a], [a, a, b, b, b, a, a]] {
      #expect(LandCrossingTests.fault(ring) == .tooFewCorners)
    }
    let c = TestLands.coordinate(northM: 40, eastM: 0)
    let vertices = try LandSurvey.vertices(ofRing: [a, b, c, a])
    #expect(try LandSurvey.vertices(ofRing: [a, a, b, c, c, c, a, a]) == vertices)
  }

  @Test("A ring with a perimeter under 40 m is refused, one of 40 m is a land")
  func tooShort() throws {
    guard case .tooShort(let mm) = LandCrossingTests.fault(TestLands.ring((0, 0), (0, 9.9), (9.9, 9.9), (9.9, 0)))
    else {
      return #expect(Bool(false), "39.6 m around")
    }
    #expect((39_500...39_700).contains(mm))
    let vertices = try LandSurvey.vertices(ofRing: TestLands.ring((0, 0), (0, 10.02), (10.02, 10.02), (10.02, 0)))
    #expect(vertices.count == 8)
    #expect((40_000...40_160).contains(Land(id: LandID(1), name: "", vertices: vertices).lengthMm))
  }

  @Test("A ring beyond 85 degrees north or south, or not on Earth, is refused")
  func offTheMap() throws {
    for (latE7, lngE7, isOn) in [
      (850_000_000, 0, true), (850_000_001, 0, false), (-850_000_000, 0, true), (-850_000_001, 0, false),
      (0, 1_800_000_000, true), (0, 1_800_000_001, false), (0, -1_800_000_001, false), (.max, .min, false),
    ] as [(Int32, Int32, Bool)] {
      let south = latE7 > 0 ? -9_000 : 9_000 as Int32
      let corner = Coordinate(latE7: latE7, lngE7: lngE7)
      let ring = [
        Coordinate(latE7: latE7 &+ south, lngE7: lngE7), corner,
        Coordinate(latE7: latE7 &+ south, lngE7: lngE7 &- 90_000),
      ]
      let found = LandCrossingTests.fault(ring + ring.prefix(1))
      guard !isOn else {
        #expect(found == nil, "\(corner)")
        continue
      }
      guard case .offTheMap = found else {
        #expect(Bool(false), "\(corner)")
        continue
      }
    }
    let strange = TestLands.ring((0, 0), (0, 40), (40, 40))
    #expect(
      LandCrossingTests.fault([strange[0], strange[1], Coordinate(latE7: .max, lngE7: 0), strange[0]]) == .offTheMap(2)
    )
  }

  @Test("A land may lie over the antimeridian")
  func antimeridian() throws {
    let ring = [(0, 1_799_998_000), (0, -1_799_998_000), (3_600, -1_799_998_000), (3_600, 1_799_998_000)].map {
      Coordinate(latE7: $0.0, lngE7: Int32($0.1))
    }
    let vertices = try LandSurvey.vertices(ofRing: ring + ring.prefix(1))
    #expect((167_000...170_000).contains(Land(id: LandID(1), name: "", vertices: vertices).lengthMm))
    #expect(vertices.allSatisfy { abs(Int64($0.lngE7)) >= 1_799_998_000 && abs(Int64($0.lngE7)) <= 1_800_000_000 })
    #expect(vertices.count == 24)
    let crossed = [ring[0], ring[2], ring[1], ring[3]]
    #expect(LandCrossingTests.fault(crossed + crossed.prefix(1)) == .crossesItself(0, 2))
  }

  @Test("A ring too wide for the arithmetic is refused, and so is one with too many vertices")
  func tooLarge() throws {
    #expect(LandCrossingTests.fault(TestLands.ring((0, 0), (0, 23_500), (40, 23_500))) == .tooWide(1))
    #expect(LandCrossingTests.fault(TestLands.ring((0, 0), (0, 22_000), (22_000, 22_000))) != .tooWide(1))
    // Each is near the first corner, and they are far from each other.
    #expect(LandCrossingTests.fault(TestLands.ring((0, 0), (15_000, 20_000), (-15_000, 20_000))) == .tooWide(2))
    guard
      case .tooManyVertices = LandCrossingTests.fault(
        TestLands.ring((0, 0), (0, 21_000), (21_000, 21_000), (21_000, 0))
      )
    else {
      return #expect(Bool(false), "84 km around")
    }
    let vertices = try LandSurvey.vertices(ofRing: TestLands.ring((0, 0), (0, 19_900), (19_900, 19_900), (19_900, 0)))
    #expect((9_970...10_000).contains(vertices.count))
  }

  @Test("The same ring always has the same vertices, and each refusal has a reason")
  func reasons() throws {
    let ring = TestLands.ring((0, 0), (3, 40), (41, 40))
    #expect(try LandSurvey.vertices(ofRing: ring) == LandSurvey.vertices(ofRing: ring))
    let faults: [LandFault] = [
      .notClosed, .tooFewCorners, .offTheMap(3), .crossesItself(1, 4), .tooShort(mm: 39_999), .tooWide(2),
      .tooManyVertices(10_001),
    ]
    #expect(Set(faults.map(\.description)).count == faults.count)
    #expect(LandFault.tooShort(mm: 39_999).description == "the ring is 39 m around, less than 40 m")
  }

  @Test("A name has 1 to 100 characters, is not only white space and has no control characters")
  func names() throws {
    for name in ["부평동초등학교", "a", String(repeating: "땅", count: 100)] {
      try Land.check(name: name)
    }
    for name in ["", " ", "a\nb", String(repeating: "땅", count: 101), "e" + String(repeating: "\u{301}", count: 900)] {
      #expect(throws: TextFault.self) { try Land.check(name: name) }
    }
  }
}
