// A thousand rooms' lives, each lived twice. A failing one names its seed: `Simulation(seed:isChecked:)` lives it
// again.
import GameSimulation
import Testing

@Suite("Simulation")
struct SimulationTests {
  static let seedsInBlock: UInt64 = 50
  static let steps = 250

  @Test("In 1,000 seeded rooms the rules hold after every step, and each run can be repeated", arguments: 0..<20)
  func seeded(block: UInt64) throws {
    var sum = Simulation.Tally()
    for seed in block * Self.seedsInBlock..<(block + 1) * Self.seedsInBlock {
      do {
        var first = try Simulation(seed: seed, isChecked: true)
        try first.run(steps: Self.steps)
        var second = try Simulation(seed: seed, isChecked: false)
        try second.run(steps: Self.steps)
        #expect(first.fingerprint == second.fingerprint, "seed \(seed)")
        sum += first.tally
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    // A simulation in which nothing happens proves nothing.
    #expect(sum.games >= Int(Self.seedsInBlock) && sum.points > 100 && sum.mergedTicks > 100, "\(sum)")
  }

  @Test("A room's history has the same bytes on every machine and in every build")
  func golden() throws {
    var simulation = try Simulation(seed: 20_260_149, isChecked: true)
    try simulation.run(steps: 2_000)
    #expect(simulation.tally.games > 10, "the room lives until the end")
    #expect(simulation.fingerprint.value == 13_368_295_362_710_251_685)
  }
}
