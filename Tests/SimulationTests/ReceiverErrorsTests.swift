// The errors of real receivers as the simulations draw them, and what the rules make of honest players who have them.
import Game
import GameSimulation
import ReceiverErrors
import SeededRandom
import Testing

@Suite("Receiver errors")
struct ReceiverErrorsTests {
  /// Speeds beyond the true one are those that the fit's own simulation has on the recorded ways, of which these walks
  /// are not a copy: a factor of two holds a wrong unit or a forgotten part off.
  @Test(
    "Walks with these errors seem faster than they are, as the fitted ones do",
    arguments: [
      (ReceiverClass.open, [1.7, 3.6, 11.5]), (.city, [1.8, 4.9, 22.2]), (.canyon, [6.3, 27.4, 52.4]),
    ]
  )
  func overshoot(_ receiver: ReceiverClass, _ expectedMPerS: [Double]) {
    var random = SplitMix64(seed: 20_261_125)
    var beyond: [Double] = []
    for _ in 0..<1_000 {
      let timesMs = receiver.timesMs(over: 300_000, using: &random)
      let errors = receiver.errors(atMs: timesMs, using: &random)
      for index in timesMs.indices.dropFirst() {
        let seconds = Double(timesMs[index] - timesMs[index - 1]) / 1_000
        let north = (errors[index].northM - errors[index - 1].northM) / seconds + 1.4
        let east = (errors[index].eastM - errors[index - 1].eastM) / seconds
        beyond.append((north * north + east * east).squareRoot() - 1.4)
      }
    }
    beyond.sort()
    let found = [0.95, 0.99, 0.999].map { beyond[Int(Double(beyond.count) * $0)] }
    for (found, expected) in zip(found, expectedMPerS) {
      #expect((expected / 2...expected * 2).contains(found), "\(receiver): \(found) m/s, fitted \(expected)")
    }
  }

  @Test("The same seed gives the same errors, and another one others")
  func seeds() {
    func errors(_ seed: UInt64) -> [Double] {
      var random = SplitMix64(seed: seed)
      return ReceiverClass.city.errors(atMs: Array(stride(from: 0, to: 60_000, by: 1_000)), using: &random).map(
        \.northM
      )
    }
    #expect(errors(1) == errors(1) && errors(1) != errors(2))
  }

  @Test("Of 1,000 minutes of honest players at most one is suspect, also where errors are twice as large as recorded")
  func honest() throws {
    var sum = ReceiverTrial.Tallies()
    for seed: UInt64 in 1...150 { sum += try ReceiverTrial.run(seed: seed) }
    for tally in sum.tallies {
      #expect(tally.minutes == 3_000 && tally.suspectMinutes <= 3, "\(tally.line)")
      #expect(tally.verdicts[.setAside, default: 0] > 0, "there were errors to take for lies")
    }
  }
}
