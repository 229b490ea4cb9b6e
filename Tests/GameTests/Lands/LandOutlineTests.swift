// The outlines of lands: few vertices, and none of the others far from them.
import Game
import SeededRandom
import Testing

@Suite("The outline of a land") struct LandOutlineTests {
  /// A ring around a place, with this distance from it in each of `count` directions, in 1e-7 degree.
  private static func land(_ count: Int, lngE7: Int64 = 1_267_000_000, _ reachE7: (Int) -> Int64) -> Land {
    // The direction turns by a rotation in whole numbers, exactly enough for a ring.
    var vertices: ContiguousArray<Coordinate> = []
    for index in 0..<count {
      let quarter = count / 4
      let along = Int64(index % quarter) * 1_000 / Int64(quarter)
      let (north, east): (Int64, Int64) =
        switch index / quarter {
        case 0: (1_000 - along, along)
        case 1: (-along, 1_000 - along)
        case 2: (along - 1_000, -along)
        default: (along, along - 1_000)
        }
      var lng = lngE7 + east * reachE7(index) / 1_000
      if lng > 1_800_000_000 { lng -= 3_600_000_000 }
      vertices.append(Coordinate(latE7: Int32(375_000_000 + north * reachE7(index) / 1_000), lngE7: Int32(lng)))
    }
    return Land(id: LandID(1), name: "ring", vertices: vertices)
  }

  @Test("A square with many vertices on its sides has its corners alone")
  func square() {
    let outline = Self.land(400) { _ in 100_000 }.outline(toleranceMm: 1_000, verticesMax: 64)
    #expect(outline.count == 4)
  }

  @Test("Its vertices are vertices of the land in order; fewer with a wider tolerance, never more than asked for")
  func bounds() {
    var random = SplitMix64(seed: 5)
    for lngE7: Int64 in [1_267_000_000, 1_799_990_000] {
      let land = Self.land(1_000, lngE7: lngE7) { _ in Int64(random.draw(80_000...100_000)) }
      var last = Int.max
      for toleranceMm: Int64 in [0, 10_000, 50_000, 10_000_000] {
        let outline = land.outline(toleranceMm: toleranceMm, verticesMax: 64)
        #expect((3...64).contains(outline.count) && outline.count <= last)
        last = outline.count
        var rest = land.vertices[...]
        for vertex in outline {
          rest = rest.drop { $0 != vertex }
          #expect(rest.popFirst() != nil)
        }
      }
      #expect(last == 3)
      #expect(land.outline(toleranceMm: 0, verticesMax: 5_000).count > 900)
    }
  }

  @Test("A land of three vertices is its outline")
  func triangle() {
    let land = Land(
      id: LandID(1),
      name: "three",
      vertices: [(0, 0), (0, 9_000), (9_000, 0)].reduce(into: []) { $0.append(Coordinate(latE7: $1.0, lngE7: $1.1)) }
    )
    #expect(land.outline(toleranceMm: 1_000_000, verticesMax: 3) == Array(land.vertices))
  }
}
