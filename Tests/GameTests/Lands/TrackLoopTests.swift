// The rings in players' tracks: what was walked around comes out, and what was not does not.
import Game
import SeededRandom
import Testing

@Suite("The ring in a track") struct TrackLoopTests {
  private typealias Place = (northM: Double, eastM: Double)

  private static let square: [Place] = [(0, 0), (0, 80), (80, 80), (80, 0), (0, 0)]

  /// A way along straight lines, with a fix each 1.4 m and a receiver's errors of up to `errorM` to each side.
  private static func walk(_ corners: [Place], errorM: Int = 0, seed: UInt64 = 1) -> [Coordinate] {
    var random = SplitMix64(seed: seed)
    func error() -> Double { errorM == 0 ? 0 : Double(random.draw(-1_000 * errorM...1_000 * errorM)) / 1_000 }
    var places: [Coordinate] = []
    for (from, to) in zip(corners, corners.dropFirst()) {
      let (north, east) = (to.northM - from.northM, to.eastM - from.eastM)
      let steps = max(1, ((north * north + east * east).squareRoot() / 1.4).rounded(.up))
      for step in stride(from: 0, to: steps, by: 1) {
        let (northM, eastM) = (from.northM + north * step / steps, from.eastM + east * step / steps)
        places.append(TestLands.coordinate(northM: northM + error(), eastM: eastM + error()))
      }
    }
    if let last = corners.last { places.append(TestLands.coordinate(northM: last.northM, eastM: last.eastM)) }
    return places
  }

  /// The length in metres of the ring's land, and the area in m² that it encloses.
  private static func measure(_ ring: [Coordinate]) throws -> (lengthM: Double, areaM2: Double) {
    let land = Land(id: LandID(1), name: "", vertices: try LandSurvey.vertices(ofRing: ring))
    let cosine = Double(Cosine.ofLatitude(latE7: 375_000_000)) / Double(1 << Cosine.fractionBits)
    let points = ring.map { place in
      (
        north: Double(place.latE7 - ring[0].latE7) * 0.011119508,
        east: Double(place.lngE7 - ring[0].lngE7) * 0.011119508 * cosine
      )
    }
    let doubled = zip(points, points.dropFirst()).reduce(0.0) { $0 + $1.0.north * $1.1.east - $1.1.north * $1.0.east }
    return (Double(land.lengthMm) / 1_000, abs(doubled) / 2)
  }

  private func expectSquare(_ track: [Coordinate], withinPercent: Double = 5) throws {
    let ring = try #require(TrackLoop.ring(of: track))
    let (lengthM, areaM2) = try Self.measure(ring)
    #expect(abs(lengthM - 320) <= 320 * withinPercent / 100, "\(lengthM) m")
    #expect(abs(areaM2 - 6_400) <= 6_400 * withinPercent / 100, "\(areaM2) m²")
    #expect(ring.count - 1 <= TrackLoop.cornersMax && ring.first == ring.last)
  }

  @Test("A closed way is its ring, with its corners alone")
  func closed() throws {
    let track = Self.walk(Self.square)
    try expectSquare(track)
    #expect(try #require(TrackLoop.ring(of: track)).count <= 9)
    #expect(TrackLoop.ring(of: track) == TrackLoop.ring(of: track))
    try expectSquare(track.reversed())
  }

  @Test("A way that comes back to within 30 m is closed by a straight side; one that does not is no ring")
  func gap() throws {
    try expectSquare(Self.walk(Self.square.dropLast() + [(28, 0)]))
    #expect(TrackLoop.ring(of: Self.walk(Self.square.dropLast() + [(33, 0)])) == nil)
    #expect(TrackLoop.ring(of: Self.walk([(0, 0), (0, 300), (200, 300)])) == nil)
    #expect(TrackLoop.ring(of: []) == nil)
    #expect(TrackLoop.ring(of: Self.walk([(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)])) == nil, "under 40 m")
  }

  @Test(
    "Tails before and behind are left out, on ways of their own and on the same street",
    arguments: [0.0, 3, 8]
  )
  func tails(offsetM: Double) throws {
    try expectSquare(Self.walk([(-200, -150)] + Self.square + [(-100, 300)]))
    // From home to the square, around it, and back on the other side of the street.
    let home: Place = (-300, 0)
    let back: [Place] = [(80, 0), (5, -offsetM), (-300, -offsetM)]
    try expectSquare(Self.walk([home] + Self.square.dropLast() + back), withinPercent: 8)
  }

  @Test("Of a figure of eight the larger loop is the ring, whichever comes first")
  func figureOfEight() throws {
    let small: [Place] = [(0, 0), (-50, 0), (-50, -50), (0, -50), (0, 0)]
    try expectSquare(Self.walk(small + Self.square.dropFirst()))
    try expectSquare(Self.walk(Self.square + small.dropFirst()))
    // Through the middle, without stopping there.
    let eight: [Place] = [(-40, 0), (-40, -40), (40, 40), (120, 40), (120, -40), (40, -40), (-40, 0)]
    #expect(TrackLoop.ring(of: Self.walk(eight)) != nil)
  }

  @Test("Out and back is no ring, nor is a long stand", arguments: [0.0, 4])
  func nothing(offsetM: Double) {
    #expect(TrackLoop.ring(of: Self.walk([(0, 0), (400, 0), (400, offsetM), (0, offsetM)])) == nil)
    for seed in 1...10 {
      let stand = Self.walk(Array(repeating: (0, 0), count: 600), errorM: 4, seed: UInt64(seed))
      #expect(TrackLoop.ring(of: stand) == nil, "seed \(seed)")
    }
  }

  @Test("A receiver's jitter and its knots leave the ring")
  func jitter() throws {
    for seed in 1...20 {
      try expectSquare(Self.walk(Self.square, errorM: 3, seed: UInt64(seed)), withinPercent: 20)
      // A stand on the way, for two minutes.
      let stand = Array(repeating: (northM: 80.0, eastM: 40.0), count: 120)
      let way = Self.square.prefix(3) + stand + Self.square.suffix(2)
      let ring = try #require(TrackLoop.ring(of: Self.walk(Array(way), errorM: 3, seed: UInt64(seed))))
      #expect(abs(try Self.measure(ring).areaM2 - 6_400) < 1_000, "seed \(seed)")
    }
  }

  @Test("Two laps are the ring of one")
  func laps() throws {
    try expectSquare(Self.walk(Self.square + Self.square.dropFirst()))
    let wider: [Place] = [(-3, -3), (-3, 83), (83, 83), (83, -3), (-3, -3)]
    let ring = try #require(TrackLoop.ring(of: Self.walk(Self.square + wider)))
    #expect(try Self.measure(ring).lengthM < 400)
  }

  @Test("Ground between two fixes over 100 m apart was not walked: no ring goes over it")
  func lost() throws {
    let side: [Place] = [(0, 0), (0, 300), (300, 300), (300, 0)]
    #expect(TrackLoop.ring(of: Self.walk(side + [(0, 0)])) != nil)
    #expect(TrackLoop.ring(of: Self.walk(side) + Self.walk([(20, 0), (0, 0)])) == nil)
    // A ring that was walked whole before is one all the same.
    try expectSquare(Self.walk(Self.square) + Self.walk([(5_000, 0), (5_000, 60)]))
    // Far beyond one plane.
    let far: [Place] = (0...400).map { (Double($0) * 90, 0) }
    #expect(TrackLoop.ring(of: far.map { TestLands.coordinate(northM: $0.northM, eastM: $0.eastM) }) == nil)
  }

  @Test("The rings of ten thousand places are found too, and are lands")
  func long() throws {
    var random = SplitMix64(seed: 3)
    var places: [Coordinate] = []
    var (north, east) = (0.0, 0.0)
    for _ in 0..<20_000 {
      north += Double(random.draw(-9_000...9_000)) / 1_000
      east += Double(random.draw(-9_000...9_000)) / 1_000
      places.append(TestLands.coordinate(northM: north, eastM: east))
    }
    let ring = try #require(TrackLoop.ring(of: places))
    #expect(try Self.measure(ring).areaM2 > 100)
    #expect(TrackLoop.ring(of: places) == ring)
  }

  @Test("A ring across the 180th meridian is found")
  func meridian() throws {
    let track = Self.walk(Self.square).map { place in
      var lngE7 = Int64(place.lngE7) + 532_996_000
      if lngE7 > 1_800_000_000 { lngE7 -= 3_600_000_000 }
      return Coordinate(latE7: place.latE7, lngE7: Int32(lngE7))
    }
    #expect(Set(track.map { $0.lngE7 > 0 }).count == 2)
    let ring = try #require(TrackLoop.ring(of: track))
    _ = try LandSurvey.vertices(ofRing: ring)
  }
}
