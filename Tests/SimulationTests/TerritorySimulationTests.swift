// Five hundred territory games, each lived twice, and five hundred drawings of paths past a referee. A failing one
// names its seed: `Simulation(seed:mode:isChecked:)` and `PathTrial(seed:)` live it again.
import GameSimulation
import Testing

@Suite("Territory mode, simulated")
struct TerritorySimulationTests {
  static let seedsInBlock: UInt64 = 25

  @Test(
    "In 500 seeded territory games the rules hold after every step, and each run can be repeated",
    arguments: 0..<20
  )
  func games(block: UInt64) throws {
    var sum = Simulation.Tally()
    for seed in block * Self.seedsInBlock..<(block + 1) * Self.seedsInBlock {
      do {
        sum += try Simulation.territory(seed: seed).tally
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    // A simulation in which nothing happens proves nothing.
    #expect(sum.games > 20 && sum.mergedTicks > 100 && sum.captures > 20 && sum.cellsTaken > 500, "\(sum.line)")
  }

  @Test(
    "In 500 seeded drawings room and referee agree on every path, how it closes and what it takes",
    arguments: 0..<20
  )
  func paths(block: UInt64) throws {
    var tally = PathTrial.Tally()
    for seed in block * Self.seedsInBlock..<(block + 1) * Self.seedsInBlock {
      do {
        tally += try PathTrial.run(seed: seed)
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    #expect(tally.metThemselves > 10 && tally.backAtStart > 3 && tally.home > 5, "\(tally.line)")
    #expect(tally.smallLoops > 0, "\(tally.line)")
    #expect(tally.dropped > 50 && tally.cellsTaken > 100, "\(tally.line)")
  }

  @Test("Among the drawings are loops that come around to their start and never were away")
  func neverAway() throws {
    var tally = PathTrial.Tally()
    for seed in 0..<4 * Self.seedsInBlock { tally += try PathTrial.run(seed: seed) }
    #expect(tally.neverAwayLoops > 4, "\(tally.line)")
  }
}
