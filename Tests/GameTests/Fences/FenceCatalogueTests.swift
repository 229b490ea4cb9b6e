// The catalogue compared with a look at every fence, on any side of the Earth, and ten thousand fences in one place.
import Foundation
import Game
import SeededRandom
import Testing

@Suite("Fences: the catalogue")
struct FenceCatalogueTests {
  /// The nearest by a look at every fence.
  private func brute(
    _ catalogue: FenceCatalogue,
    _ place: Coordinate,
    withinMm: Int64 = 1_000_000,
    most: Int = 256,
    at time: Instant = .seconds(0)
  ) -> [(Int64, Int32)] {
    let all = catalogue.fences.enumerated().compactMap { index, fence -> (Int64, Int32)? in
      if let closesAt = fence.closesAt, closesAt <= time { return nil }
      let distanceMm = max(0, -fence.shape.depthMm(of: place))
      return distanceMm <= withinMm ? (distanceMm, Int32(index)) : nil
    }
    return Array(all.sorted { $0 < $1 }.prefix(most))
  }

  private func expectSame(_ catalogue: FenceCatalogue, _ place: Coordinate, at time: Instant = .seconds(0)) -> Int {
    let near = catalogue.nearest(to: place, withinMm: 1_000_000, most: 256, at: time)
    let expected = brute(catalogue, place, at: time)
    #expect(Array(near.indices) == expected.map(\.1), "at \(place)")
    #expect(Array(near.distancesMm) == expected.map(\.0))
    #expect(near.isFull == (expected.count == 256))
    return expected.count
  }

  @Test("The fences on a map are found from either side of the antimeridian, each once")
  func onMap() throws {
    let ground = TestGround(latE7: 0, lngE7: 1_800_000_000)
    let fences = try [
      ground.circle(1, 0, 0, radiusM: 100), ground.circle(2, -1_000, 0, radiusM: 100),
      ground.circle(3, 1_000, 0, radiusM: 100), ground.circle(4, 0, 5_000, radiusM: 200),
    ]
    let catalogue = FenceCatalogue(fences, generation: 1)
    func found(_ southE7: Int64, _ northE7: Int64, from westE7: Int64, width widthE7: Int64) -> [Int32] {
      catalogue.indices(southE7: southE7, northE7: northE7, westE7: westE7, widthE7: widthE7)
    }
    #expect(found(-900_000_000, 900_000_000, from: -1_800_000_000, width: 3_600_000_000) == [0, 1, 2, 3])
    #expect(found(-1_000, 1_000, from: 1_799_000_000, width: 2_000_000) == [0, 1, 2])
    #expect(found(-1_000, 1_000, from: 1_800_000_000, width: 0) == [0])
    #expect(found(-1_000, 1_000, from: -1_800_000_000, width: 200_000) == [0, 2])
    #expect(found(100_000, 100_000, from: -1_800_000_000, width: 3_600_000_000).isEmpty)
    #expect(catalogue.heightE7(of: 3) > catalogue.heightE7(of: 0))
  }

  @Test(
    "The nearest are those of a look at every fence, in the same order",
    arguments: [(375_665_000, 1_269_780_000), (0, 1_800_000_000), (-849_000_000, -1_800_000_000), (845_000_000, 7)]
  )
  func nearest(latE7: Int32, lngE7: Int32) throws {
    let seed: UInt64 = 20_261_210
    var random = SplitMix64(seed: seed)
    let ground = TestGround(latE7: latE7, lngE7: lngE7)
    var fences: [Fence] = []
    for id in 0..<1_500 {
      let (eastM, northM) = (
        Double.random(in: -6_000...6_000, using: &random), Double.random(in: -6_000...6_000, using: &random)
      )
      if random.chance(30) {
        let radiusM = 20 * pow(50, Double.random(in: 0...1, using: &random))
        let star = TestGround.star(&random, eastM, northM, radiusM: radiusM, corners: random.draw(3...40))
        fences.append(try ground.polygon(UInt128(id) << 64, star))
      } else {
        let radiusM = 5 * pow(random.chance(2) ? 8_000 : 100, Double.random(in: 0...1, using: &random))
        fences.append(
          try ground.circle(UInt128(id) << 64, eastM, northM, radiusM: radiusM, closesAt: random.chance(5) ? 10 : nil)
        )
      }
    }
    let catalogue = FenceCatalogue(fences, generation: 1)
    var found = 0
    for _ in 0..<60 {
      let place = ground.at(
        .random(in: -8_000...8_000, using: &random),
        .random(in: latE7 < -840_000_000 ? 0...8_000 : -8_000...5_000, using: &random)
      )
      found += expectSame(catalogue, place, at: .seconds(random.draw(9...10)))
    }
    #expect(found > 1_000, "seed \(seed)")
  }

  @Test("Ten thousand fences in one place: the nearest 256, those with the lowest identifiers where all are equal")
  func crowded() throws {
    let ground = TestGround()
    var random = SplitMix64(seed: 20_261_211)
    let same = FenceCatalogue(try (0..<10_000).map { try ground.circle($0, radiusM: 30) }, generation: 1)
    #expect(
      Array(same.nearest(to: ground.at(0, 0), withinMm: 1_000_000, most: 256, at: .seconds(0)).indices)
        == Array(0..<256)
    )
    for eastM in [0.0, 29, 31, 500, 1_029, 1_031] { _ = expectSame(same, ground.at(eastM, 0)) }
    let stars = FenceCatalogue(
      try (0..<10_000).map {
        try ground.polygon(
          $0,
          TestGround.star(&random, Double($0 % 7), 0, radiusM: 900, corners: 12)
        )
      },
      generation: 2
    )
    for eastM in [0.0, 400, 880, 1_700] { _ = expectSame(stars, ground.at(eastM, 50)) }
  }

  @Test("Fences are found by identifier; the later of two with one identifier counts; none is an empty catalogue")
  func identifiers() throws {
    let ground = TestGround()
    let catalogue = FenceCatalogue(
      [try ground.circle(9, radiusM: 50), try ground.circle(3, radiusM: 50), try ground.circle(9, radiusM: 70)],
      generation: 4
    )
    #expect(catalogue.fences.map(\.id) == [FenceID(3), FenceID(9)])
    #expect(catalogue.fences[1].shape.halfDepthMm == 35_000)
    #expect(catalogue.index(of: FenceID(9)) == 1)
    for id in [0, 4, UInt128.max] { #expect(catalogue.index(of: FenceID(id)) == nil) }
    let empty = FenceCatalogue([], generation: 0)
    #expect(empty.nearest(to: ground.at(0, 0), withinMm: 1_000_000, most: 256, at: .seconds(0)).indices.isEmpty)
    #expect(empty.index(of: FenceID(0)) == nil)
  }
}
