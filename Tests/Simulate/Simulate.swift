// The command that scripts/simulate runs: madang-simulate SEED COUNT [STEP] lives through so many seeds, every STEPth of
// them, and prints failures with the newest lines of their traces; madang-simulate --trace SEED prints one run's. Any
// failure makes its status 1.
import Glibc
import ServerSimulation

@main
enum Simulate {
  private static let failuresMax = 5
  private static let linesMax = 60

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--trace", let seed = arguments.dropFirst().first.flatMap({ UInt64($0) }) {
      for line in Simulator.trace(seed) { print(line) }
      return
    }
    let printsFingerprints = arguments.first == "--fingerprints"
    if printsFingerprints { arguments.removeFirst() }
    let numbers = arguments.compactMap { UInt64($0) }
    guard numbers.count == arguments.count, (2...3).contains(numbers.count) else {
      print("usage: madang-simulate [--fingerprints] SEED COUNT [STEP] | --trace SEED")
      exit(2)
    }
    run(from: numbers[0], count: numbers[1], step: numbers.count > 2 ? numbers[2] : 1, printsFingerprints)
  }

  private static func run(from seed: UInt64, count: UInt64, step: UInt64, _ printsFingerprints: Bool) {
    SeedInHand.tellWhenTrapped()
    var sum = Report()
    var failures = 0
    for index in 0..<count {
      let seed = seed &+ index &* step
      SeedInHand.take(seed)
      do {
        let report = try Simulator.run(seed: seed)
        if printsFingerprints { print("\(seed) \(report.fingerprint)") }
        sum = sum + report
      } catch {
        failures += 1
        print("FAILED \(error)")
        if let failure = error as? Simulator.Failure {
          for line in failure.lines.suffix(linesMax) { print("  \(line)") }
        }
        if failures == failuresMax { break }
      }
    }
    if !printsFingerprints { for line in sum.lines { print(line) } }
    exit(failures == 0 ? 0 : 1)
  }
}
