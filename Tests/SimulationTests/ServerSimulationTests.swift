// Five hundred runs of the whole server under faults of the network, of the store and its own. A failing one names its
// seed and prints the newest lines of its trace: `scripts/simulate SEED 1` lives it again.
import ServerSimulation
import Testing

@Suite("The whole server, simulated")
struct ServerSimulationTests {
  static let seedsInBlock: UInt64 = 50

  @Test(
    "In 500 seeded games, with faults of network, store and server, every rule holds and the end is quiescent",
    arguments: 0..<10
  )
  func seeded(block: UInt64) throws {
    var sum = Report()
    for seed in block * Self.seedsInBlock..<(block + 1) * Self.seedsInBlock {
      do {
        // A simulation that is not the same again could not be looked into: one in each block proves it.
        sum = sum + (try Simulator.run(seed: seed, twice: seed % Self.seedsInBlock == 0))
      } catch let failure as Simulator.Failure {
        Issue.record("\(failure)\n\(failure.lines.suffix(60).joined(separator: "\n"))")
      }
    }
    // A simulation in which nothing happens proves nothing.
    #expect(sum.games > 20 && sum.chats > 100 && sum.resumes > 50 && sum.comparisons > 500, "\(sum.lines)")
    #expect(sum.crashes > 2 && sum.drains > 0 && sum.recoveries > 10 && sum.replays > 10, "\(sum.lines)")
    #expect(sum.arrivalsDeferred > 10, "\(sum.lines)")
    #expect(sum.roomsMoved > 5, "\(sum.lines)")
    #expect(sum.kicks + sum.locks > 5, "\(sum.lines)")
    #expect(sum.unavailable > 5 && sum.withheld > 0 && sum.pages > 5, "\(sum.lines)")
    #expect(sum.batchesCounted > 50 && sum.batchesAgain > 2 && sum.rankings > 25, "\(sum.lines)")
    #expect(sum.rankingComparisons > 10 && sum.tapChecks > 20, "\(sum.lines)")
    #expect(sum.operatorActions > 40 && sum.bans + sum.mutes > 2 && sum.roomsClosed > 0, "\(sum.lines)")
    #expect(sum.placeWatches > 100 && sum.fenceChanges > 60 && sum.placeChecks > 20, "\(sum.lines)")
    #expect(sum.capsulesBuried > 20 && sum.capsulesChanged > 2 && sum.capsulesOpened > 2, "\(sum.lines)")
    #expect(sum.webhookEvents > 30 && sum.webhookFailures > 5, "\(sum.lines)")
    #expect(sum.openables > 20 && sum.placeRefusals > 8, "\(sum.lines)")
    #expect(sum.faults.cuts > 10 && sum.faults.resets > 10 && sum.faults.stalls > 10, "\(sum.lines)")
  }

  @Test("A player who is banned and away when all leave stays away", arguments: [2_085])
  func awayAtTheEnd(seed: UInt64) throws {
    _ = try Simulator.run(seed: seed)
  }

  @Test("In 30 games with a greedy player every rule holds, and budgets are used up")
  func greedy() throws {
    var sum = Report()
    for seed in (UInt64(10_000)..<10_200).filter(Plan.isGreedy(seed:)).prefix(30) {
      do {
        sum = sum + (try Simulator.run(seed: seed, twice: false))
      } catch let failure as Simulator.Failure {
        Issue.record("\(failure)\n\(failure.lines.suffix(60).joined(separator: "\n"))")
      }
    }
    #expect(sum.budgetsSpent > 0, "\(sum.lines)")
  }
}
