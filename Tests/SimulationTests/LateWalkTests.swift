// Walks that are sent live and late have the same results. A failing one names its seed:
// `madang-simulate --late SEED 1` plays it again.
import Game
import GameSimulation
import Testing

@Suite("Walks with late fixes")
struct LateWalkTests {
  @Test("In 1,000 seeded walks, gaps, stalls, bursts and crashes change nothing, and nobody is suspect")
  func seeded() {
    var sum = LateWalkTrial.Tally()
    for seed: UInt64 in 1...1_000 {
      do { sum += try LateWalkTrial.run(seed: seed) } catch { Issue.record("seed \(seed): \(error)") }
    }
    // A trial in which nothing is late proves nothing.
    #expect(sum.gaps > 1_000 && sum.stalls > 1_000 && sum.crashes > 100 && sum.lateFixes > 100_000 && sum.runs > 50)
    #expect(sum.suspects == 0)
  }

  @Test("Of forged walks that break a rule at least 98 in 100 are suspect within a minute")
  func forged() throws {
    var sum = ForgeryTrial()
    for seed: UInt64 in 1...100 { sum += try ForgeryTrial.run(seed: seed) }
    for tally in sum.tallies where !tally.kind.isUnavoidable {
      // A hundred draws of a kind with 99 % may have a second miss.
      #expect(tally.walks == 100 && tally.suspectWithinMinute >= 98, "\(tally.line)")
    }
  }

  @Test("A trial can be repeated")
  func repeated() throws {
    #expect(try LateWalkTrial.run(seed: 7).fingerprint == LateWalkTrial.run(seed: 7).fingerprint)
  }

  @Test(
    "Three stalls a minute cost an ordinary client no points",
    arguments: [(1.4, 8), (5, 2), (5, 8), (8, 4)] as [(Double, Int64)]
  )
  func stalls(speedMPerS: Double, stallS: Int64) throws {
    for seed: UInt64 in 1...20 {
      let (live, stalled) = try LateWalkTrial.points(speedMPerS: speedMPerS, stallMs: stallS * 1_000, seed: seed)
      #expect(live > 40 && stalled == live, "seed \(seed): \(live) points live, \(stalled) with stalls")
    }
  }
}
