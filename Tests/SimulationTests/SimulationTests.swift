// A thousand rooms' lives, each lived twice. A failing one names its seed: `Simulation(seed:isChecked:)` lives it again.
import Game
import Testing

@Suite("Simulation")
struct SimulationTests {
  static let seedsInBlock: UInt64 = 50
  static let steps = 250

  @Test("In 1,000 seeded rooms the rules hold after every step, and each comes out the same again", arguments: 0..<20)
  func seeded(block: UInt64) throws {
    var games = 0
    var points: UInt32 = 0
    var merged = 0
    for seed in block * Self.seedsInBlock..<(block + 1) * Self.seedsInBlock {
      do {
        var first = try Simulation(seed: seed, isChecked: true)
        try first.run(steps: Self.steps)
        var second = try Simulation(seed: seed, isChecked: false)
        try second.run(steps: Self.steps)
        #expect(first.fingerprint == second.fingerprint, "seed \(seed)")
        games += first.gamesPlayed
        points += first.pointsScored
        merged += first.mergedTicks
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    // A simulation in which nothing happens proves nothing.
    #expect(games >= Int(Self.seedsInBlock), "block \(block)")
    #expect(points > 100, "block \(block)")
    #expect(merged > 100, "block \(block)")
  }

  @Test("A room's life has the same bytes on every machine and in every build")
  func golden() throws {
    var simulation = try Simulation(seed: 20_260_101, isChecked: true)
    try simulation.run(steps: 2_000)
    #expect(simulation.fingerprint.value == 10_739_568_743_230_705_270)
  }
}
