// The search for lands near a place: at the edges of the map, among dense lands and wide ones, over every back end.
// Distances are checked against great circles by libm.
import Game
import Glibc
import SeededRandom
import Store
import Testing

@Suite("Every store finds the lands near a place")
struct LandSearchTests {
  /// A triangle with its southern corner at this place; `sizeE7` is its height in 1e-7 degrees.
  private static func land(_ number: UInt128, _ latE7: Int32, _ lngE7: Int32, sizeE7: Int32 = 10_000) -> Land {
    let corners = [(0, 0), (sizeE7, sizeE7), (sizeE7, -sizeE7)] as [(Int32, Int32)]
    let vertices = corners.map { Coordinate(latE7: latE7 + $0.0, lngE7: turned(lngE7, by: $0.1)) }
    return Land(id: LandID(number), name: "land \(number)", vertices: ContiguousArray(vertices))
  }

  /// A longitude moved east by this much, also across the antimeridian.
  private static func turned(_ lngE7: Int32, by east: Int32) -> Int32 {
    let lng = Int64(lngE7) + Int64(east)
    return Int32(lng > 1_800_000_000 ? lng - 3_600_000_000 : lng < -1_800_000_000 ? lng + 3_600_000_000 : lng)
  }

  private static func haversineM(_ a: Coordinate, _ b: Coordinate) -> Double {
    func radians(_ e7: Int32) -> Double { Double(e7) * 1e-7 * .pi / 180 }
    let lat = sin((radians(b.latE7) - radians(a.latE7)) / 2)
    let lng = sin((radians(b.lngE7) - radians(a.lngE7)) / 2)
    let square = lat * lat + cos(radians(a.latE7)) * cos(radians(b.latE7)) * lng * lng
    return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
  }

  /// A dense place, one at the antimeridian, one at the northern end of the map.
  private static let centers: [(latE7: Int32, lngE7: Int32, spreadE7: Int32)] = [
    (375_000_000, 1_267_000_000, 200_000), (0, 1_800_000_000, 3_000_000), (848_000_000, 0, 900_000),
  ]

  private static func place(_ center: Int, _ random: inout SplitMix64) -> Coordinate {
    let (latE7, lngE7, spreadE7) = centers[center]
    return Coordinate(
      latE7: min(latE7 + .random(in: -spreadE7...spreadE7, using: &random), 850_000_000),
      lngE7: turned(lngE7, by: .random(in: -spreadE7...spreadE7, using: &random))
    )
  }

  @Test(
    "A land with a vertex within the distance is found, the nearest first, anywhere on the map",
    arguments: BackEnd.allCases
  )
  func againstAll(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let seed: UInt64 = 20_261_120
      var random = SplitMix64(seed: seed)
      let lands = (0..<360).map { number in
        let place = Self.place(number % 3, &random)
        let sizeE7 = Int32.random(in: 1_000...40_000, using: &random)
        return Self.land(UInt128(number), min(place.latE7, 849_900_000), place.lngE7, sizeE7: sizeE7)
      }
      _ = try store.addLands(lands)
      for number in 0..<60 {
        let place = Self.place(number % 3, &random)
        let withinM = [50, 500, 3_000, 20_000][number % 4]
        let all = try await store.lands(near: place, withinM: withinM, limit: 1_000)
        #expect(all.map(\.distanceMm) == all.map(\.distanceMm).sorted())
        let distances = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.distanceMm) })
        for land in lands {
          let distanceM = land.vertices.map { Self.haversineM(place, $0) }.min() ?? .infinity
          if let foundMm = distances[land.id] {
            #expect(abs(Double(foundMm) / 1_000 - distanceM) < 0.01 + distanceM * 0.001, "seed \(seed), \(number)")
            #expect(foundMm <= Int64(withinM) * 1_000)
          } else {
            #expect(distanceM > Double(withinM) * 0.999, "seed \(seed), \(number)")
          }
        }
        #expect(try await store.lands(near: place, withinM: withinM, limit: 7) == Array(all.prefix(7)))
      }
    }
  }

  @Test("The distance to a land that contains the place is that to its vertices", arguments: BackEnd.allCases)
  func containing(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      // The wide land is 3 km high, with a small one within it. Its vertices are further from the place than its sides.
      let wide = Self.land(1, 375_000_000, 1_267_000_000, sizeE7: 270_000)
      _ = try store.addLands([wide, Self.land(2, 375_160_000, 1_267_000_000)])
      let inside = Coordinate(latE7: 375_135_000, lngE7: 1_267_000_000)
      #expect(try await store.lands(near: inside, withinM: 1_000, limit: 5).map(\.id) == [LandID(2)])
      let near = try await store.lands(near: inside, withinM: 1_600, limit: 5)
      #expect(near.map(\.id) == [LandID(2), LandID(1)])
      #expect((1_500_000...1_502_000).contains(near[1].distanceMm))
    }
  }

  @Test(
    "Of lands at the same distance the lower identifier comes first, also with a limit",
    arguments: BackEnd.allCases
  )
  func ties(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      // All have the southern corner in common.
      let lands = (1...9).map { Self.land(UInt128(10 - $0), 375_000_000, 1_267_000_000, sizeE7: 10_000 * Int32($0)) }
      _ = try store.addLands(lands)
      let place = Coordinate(latE7: 374_990_000, lngE7: 1_267_000_000)
      #expect(try await store.lands(near: place, withinM: 500, limit: 50).map(\.id) == (1...9).map { LandID($0) })
      #expect(try await store.lands(near: place, withinM: 500, limit: 4).map(\.id) == (1...4).map { LandID($0) })
    }
  }

  @Test("A search at the corners of the map, or far from every land, finds none", arguments: BackEnd.allCases)
  func nothing(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      _ = try store.addLands([Self.land(1, 0, 0)])
      for (latE7, lngE7) in [(850_000_000, 1_800_000_000), (-850_000_000, -1_800_000_000), (0, 1_800_000_000)] {
        let corner = Coordinate(latE7: Int32(latE7), lngE7: Int32(lngE7))
        #expect(try await store.lands(near: corner, withinM: 20_000, limit: 5).isEmpty)
      }
    }
  }

  @Test(
    "A map has the lands whose boxes meet it, the tallest first, each once over its pages",
    arguments: BackEnd.allCases
  )
  func map(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var random = SplitMix64(seed: 11)
      let lands = (1...200).map { number in
        Self.land(
          UInt128(number),
          370_000_000 + Int32(random.draw(0...9_000_000)),
          1_260_000_000 + Int32(random.draw(0...9_000_000)),
          sizeE7: Int32(random.draw(1...40)) * 5_000
        )
      }
      _ = try store.addLands(lands)
      for _ in 0..<20 {
        let (south, west) = (
          370_000_000 + Int32(random.draw(0...8_000_000)), 1_260_000_000 + Int32(random.draw(0...8_000_000))
        )
        let (height, width) = (Int32(random.draw(0...3_000_000)), Int32(random.draw(0...3_000_000)))
        let map = try #require(MapBox(southE7: south, westE7: west, northE7: south + height, eastE7: west + width))
        var pages: [LandID] = []
        var page = try await store.lands(in: map, limit: 7).map(\.id)
        while let last = page.last {
          pages += page
          page = try await store.lands(in: map, after: last, limit: 7).map(\.id)
        }
        let met = lands.enumerated().filter { LandBox(of: $1).meets(map) }
        let order = met.sorted { (LandBox(of: $0.1).heightE7, $0.0) > (LandBox(of: $1.1).heightE7, $1.0) }
        #expect(pages == order.map(\.1.id))
      }
      let all = try #require(
        MapBox(southE7: -900_000_000, westE7: -1_800_000_000, northE7: 900_000_000, eastE7: 1_800_000_000)
      )
      #expect(try await store.lands(in: all, limit: 1_000).count == lands.count)
      #expect(try await store.lands(in: all, after: LandID(999), limit: 5).isEmpty)
      #expect(try await store.landNames([LandID(3), LandID(999)]) == [LandID(3): lands[2].name])
      #expect(try await store.land(LandID(3))?.land == lands[2])
      #expect(try await store.land(LandID(999)) == nil)
    }
  }

  @Test("A map across the antimeridian has the lands on both sides and on it, each once", arguments: BackEnd.allCases)
  func mapAcross(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      // In the west, on the antimeridian, in the east, and far from it.
      let lngs: [Int32] = [1_799_000_000, 1_799_998_000, -1_799_000_000, 0]
      let lands = lngs.enumerated().map { Self.land(UInt128($0 + 1), 100_000_000, $1) }
      _ = try store.addLands(lands)
      let sides: (Int32, Int32) -> MapBox? = {
        MapBox(southE7: 99_000_000, westE7: $0, northE7: 101_000_000, eastE7: $1)
      }
      func found(_ west: Int32, _ east: Int32) async throws -> [LandID] {
        let map = try #require(sides(west, east))
        return try await store.lands(in: map, limit: 9).map(\.id).sorted()
      }
      #expect(try await found(1_798_000_000, -1_798_000_000) == [1, 2, 3].map { LandID($0) })
      #expect(try await found(-1_800_000_000, -1_799_990_000) == [LandID(2)])
      #expect(try await found(1_799_990_000, 1_800_000_000) == [LandID(2)])
      #expect(try await found(-1_000_000, 1_000_000) == [LandID(4)])
      #expect(sides(1_800_000_001, 0) == nil && MapBox(southE7: 1, westE7: 0, northE7: 0, eastE7: 0) == nil)
    }
  }
}
