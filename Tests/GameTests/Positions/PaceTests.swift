// The rule of pace, beside a plain list of samples: an accepted fix is reachable from the newest one, and from those of
// about 10 s and 30 s ago.
import Game
import SeededRandom
import Testing

@Suite("Pace")
struct PaceTests {
  private static let speedMaxMmPerS = 5_000
  private static let toleranceMm = 5_000.0

  /// A player's accepted fixes, a second or more apart, and the newest one.
  private struct Samples {
    private struct Sample {
      var ms: Int
      var northMm: Double

      /// How far a later fix is within reach from here; negative beyond it.
      func marginMm(to later: Sample) -> Double {
        let reachMm = Double(PaceTests.speedMaxMmPerS * (later.ms - ms)) / 1_000 + PaceTests.toleranceMm
        return reachMm - abs(later.northMm - northMm)
      }
    }

    private var kept: [Sample] = []
    private var newest = Sample(ms: 0, northMm: 0)

    /// The margins to the newest fix and to those of about 10 s and 30 s ago.
    func marginsMm(_ ms: Int, _ northMm: Double) -> [Double] {
      let fix = Sample(ms: ms, northMm: northMm)
      let references = [10_000, 30_000].map { age in kept.last { ms - $0.ms >= age } ?? kept[0] }
      return ([newest] + references).map { $0.marginMm(to: fix) }
    }

    mutating func add(_ ms: Int, _ northMm: Double) {
      newest = Sample(ms: ms, northMm: northMm)
      if kept.last.map({ ms - $0.ms >= 1_000 }) ?? true { kept.append(newest) }
    }
  }

  @Test("A fix is accepted if it is reachable from the newest one and from those of 10 s and 30 s ago, at any rate")
  func references() throws {
    var random = SplitMix64(seed: 30)
    // The runs that ended with a fix that was beyond the reach of one of the three alone.
    var ends = [0, 0, 0]
    for intervalsMs in [100...100, 130...130, 100...900, 1_000...1_000, 2_500...2_500] {
      for _ in 0..<20 {
        var test = try PositionsTests.game(speedMaxMmPerS: Self.speedMaxMmPerS)
        var samples = Samples()
        var (ms, northMm) = (0, 0.0)
        // Around the greatest speed, some runs at first far below it.
        let slowUntilMs = Int.random(in: 0...40_000, using: &random)
        #expect(test.move(0, Yard.fix()) == nil)
        samples.add(0, 0)
        while ms < 120_000 {
          var intervalMs = Int.random(in: intervalsMs, using: &random)
          // A gap, or a server that starts again.
          if Int.random(in: 0..<100, using: &random) == 0 { intervalMs += Int.random(in: 0...35_000, using: &random) }
          if Int.random(in: 0..<100, using: &random) == 0 { try test.restore() }
          test.wait(.milliseconds(intervalMs))
          ms += intervalMs
          let speedMmPerS = Double.random(in: ms < slowUntilMs ? -3_000...3_000 : 3_500...7_200, using: &random)
          northMm += speedMmPerS * Double(intervalMs) / 1_000 + Double.random(in: -2_600...2_600, using: &random)
          var margins = samples.marginsMm(ms, northMm)
          // Coordinates are rounded, so no fix lies on an edge.
          while margins.contains(where: { abs($0) < 100 }) {
            northMm += 300
            margins = samples.marginsMm(ms, northMm)
          }
          let verdict = test.move(0, Yard.fix(northM: northMm / 1_000))
          let isReachable = margins.allSatisfy { $0 > 0 }
          #expect((verdict == nil) == isReachable, "after \(ms) ms, margins \(margins) mm")
          guard isReachable, verdict == nil else {
            let beyond = margins.indices.filter { margins[$0] < 0 }
            if beyond.count == 1 { ends[beyond[0]] += 1 }
            break
          }
          samples.add(ms, northMm)
        }
      }
    }
    #expect(ends.allSatisfy { $0 > 0 }, "each of the three has ended runs: \(ends)")
  }
}
