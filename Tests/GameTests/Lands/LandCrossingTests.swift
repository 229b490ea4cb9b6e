// Rings that cross or touch themselves are no lands: compared with a check of all pairs of sides.
import Game
import SeededRandom
import Testing

@Suite("Lands: crossings")
struct LandCrossingTests {
  /// The reason why a ring is refused; nil for a land.
  static func fault(_ ring: [Coordinate]) -> LandFault? {
    do throws(LandFault) {
      _ = try LandSurvey.vertices(ofRing: ring)
      return nil
    } catch {
      return error
    }
  }

  @Test("A ring that crosses itself is refused, and the refusal names the two sides by their order in the ring")
  func crossing() throws {
    #expect(Self.fault(TestLands.ring((0, 0), (40, 40), (40, 0), (0, 40))) == .crossesItself(0, 2))
    // With a corner repeated before.
    let ring = TestLands.ring((0, 0), (0, 0), (40, 40), (40, 0), (0, 40))
    #expect(Self.fault(ring) == .crossesItself(1, 3))
    // A figure of eight with a waist of one place.
    #expect(Self.fault(TestLands.ring((0, 0), (0, 40), (20, 20), (40, 40), (40, 0), (20, 20))) == .crossesItself(1, 4))
  }

  @Test("A ring that touches itself is refused: a corner on a side, or two overlapping sides")
  func touching() throws {
    let touches = Self.fault(TestLands.ring((0, 0), (0, 40), (40, 40), (0, 20), (40, 0)))
    #expect(touches == .crossesItself(0, 2) || touches == .crossesItself(0, 3))
    let along = Self.fault(TestLands.ring((0, 0), (0, 60), (20, 60), (20, 40), (0, 40), (0, 20), (20, 20), (20, 0)))
    #expect(along != nil)
    #expect(Self.fault(TestLands.ring((0, 0), (0, 60), (20, 60), (20, 40), (1, 40), (1, 20), (20, 20), (20, 0))) == nil)
  }

  @Test("A ring with a spike is refused: a side that runs back along the one before")
  func spikes() throws {
    #expect(Self.fault(TestLands.ring((0, 0), (0, 40), (0, 20), (40, 20))) == .crossesItself(0, 1))
    #expect(Self.fault(TestLands.ring((0, 40), (0, 0), (0, 60), (40, 60))) != nil)
    #expect(Self.fault(TestLands.ring((0, 0), (0, 40), (0, 80))) != nil, "nothing is inside")
    // Corners on a straight side are none.
    #expect(Self.fault(TestLands.ring((0, 0), (0, 20), (0, 40), (40, 40), (40, 0), (20, 0))) == nil)
  }

  @Test("The search finds the same crossings and contacts as a comparison of every two sides")
  func crossingsAgainstAll() throws {
    let seed: UInt64 = 20_261_102
    var random = SplitMix64(seed: seed)
    var crossing = 0
    for _ in 0..<500 {
      // On a coarse grid, so that sides touch, lie on each other and go back.
      let corners = (0..<Int.random(in: 3...7, using: &random)).map { _ in
        Coordinate(latE7: .random(in: 0...6, using: &random) * 9_000, lngE7: .random(in: 0...6, using: &random) * 9_000)
      }
      let isLand = Self.fault(corners + corners.prefix(1)) == nil
      #expect(isLand == isSimple(corners), "seed \(seed): \(corners)")
      if !isLand { crossing += 1 }
    }
    #expect((50..<490).contains(crossing))
  }

  /// An independent check that no two sides have a common point, except for the end of one and the beginning of the
  /// next.
  private func isSimple(_ ring: [Coordinate]) -> Bool {
    let corners = ring.indices.filter { ring[$0] != ring[($0 + 1) % ring.count] }.map { ring[$0] }
    guard corners.count >= 3 else { return false }
    func side(_ index: Int) -> [SIMD2<Double>] {
      [corners[index], corners[(index + 1) % corners.count]].map {
        SIMD2(Double($0.lngE7) / 9_000, Double($0.latE7) / 9_000)
      }
    }
    for first in corners.indices {
      for second in corners.indices where second != first {
        let (a, b) = (side(first), side(second))
        let isNext = second == (first + 1) % corners.count
        let isBefore = first == (second + 1) % corners.count
        // Ends upon sides, and points between them where sides overlap.
        for part in 0...10 {
          let point = a[0] + (a[1] - a[0]) * Double(part) / 10
          let ownEnd = isNext && part == 10 || isBefore && part == 0
          if !ownEnd, distance(point, b) < 1e-9 { return false }
        }
        if let meeting = meeting(a, b), !isNext, !isBefore, meeting { return false }
      }
    }
    return true
  }

  private func distance(_ point: SIMD2<Double>, _ side: [SIMD2<Double>]) -> Double {
    let way = side[1] - side[0]
    let part = max(0, min(1, ((point - side[0]) * way).sum() / (way * way).sum()))
    let offset = point - side[0] - way * part
    return (offset * offset).sum().squareRoot()
  }

  /// Whether two sides that are not parallel meet; nil for parallel ones.
  private func meeting(_ a: [SIMD2<Double>], _ b: [SIMD2<Double>]) -> Bool? {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], b[0] - a[0])
    let turn = u.x * v.y - u.y * v.x
    guard turn != 0 else { return nil }
    let (s, t) = ((w.x * v.y - w.y * v.x) / turn, (w.x * u.y - w.y * u.x) / turn)
    return (-1e-9...1 + 1e-9).contains(s) && (-1e-9...1 + 1e-9).contains(t)
  }
}
