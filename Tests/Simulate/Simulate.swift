// The command of scripts/simulate: madang-simulate [SUBJECT] SEED COUNT [STEP] runs COUNT seeds, every STEPth from
// SEED, and prints failures with the newest lines of their traces; madang-simulate --trace SEED prints one run of the
// server. Any failure makes its status 1.
import GameSimulation
import Glibc
import ServerSimulation

/// The subject that is run from a seed.
private enum Subject: String {
  /// Games of the whole server, under faults.
  case server = "--server"
  /// Territory games of a room.
  case territory = "--territory"
  /// Paths of territory mode, past a referee.
  case paths = "--paths"
  /// Honest walks with the errors of real receivers.
  case receivers = "--receivers"
  /// Walks that are told live and late.
  case late = "--late"
  /// Forged walks.
  case forged = "--forged"
}

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
    let subject = arguments.first.flatMap(Subject.init)
    if subject != nil { arguments.removeFirst() }
    let numbers = arguments.compactMap { UInt64($0) }
    guard numbers.count == arguments.count, (2...3).contains(numbers.count) else {
      print(
        "usage: madang-simulate [--fingerprints] [--server | --territory | --paths | --receivers | --late | --forged] SEED COUNT [STEP] | --trace SEED"
      )
      exit(2)
    }
    let step = numbers.count > 2 ? numbers[2] : 1
    run(subject ?? .server, from: numbers[0], count: numbers[1], step: step, printsFingerprints)
  }

  private static func run(
    _ subject: Subject,
    from seed: UInt64,
    count: UInt64,
    step: UInt64,
    _ printsFingerprints: Bool
  ) {
    RunningSeed.reportOnTrap()
    var sum = Sum()
    var failures = 0
    for index in 0..<count {
      let seed = seed &+ index &* step
      RunningSeed.set(seed)
      do {
        let fingerprint = try sum.live(subject, seed: seed)
        if printsFingerprints { print("\(seed) \(fingerprint)") }
      } catch {
        failures += 1
        print("FAILED \(subject.rawValue) seed \(seed): \(error)")
        if let failure = error as? Simulator.Failure {
          for line in failure.lines.suffix(linesMax) { print("  \(line)") }
        }
        if failures == failuresMax { break }
      }
    }
    if !printsFingerprints { for line in sum.lines(of: subject) { print(line) } }
    exit(failures == 0 ? 0 : 1)
  }
}

/// The sum over all seeds.
private struct Sum {
  private var server = Report()
  private var territory = Simulation.Tally()
  private var paths = PathTrial.Tally()
  private var receivers = ReceiverTrial.Tallies()
  private var late = LateWalkTrial.Tally()
  private var forged = ForgeryTrial()

  /// Runs a seed, and returns its fingerprint.
  mutating func live(_ subject: Subject, seed: UInt64) throws -> UInt64 {
    switch subject {
    case .server:
      let report = try Simulator.run(seed: seed)
      server = server + report
      return report.fingerprint
    case .territory:
      let simulation = try Simulation.territory(seed: seed)
      territory += simulation.tally
      return simulation.fingerprint.value
    case .paths:
      let tally = try PathTrial.run(seed: seed)
      paths += tally
      return tally.fingerprint
    case .receivers:
      let tallies = try ReceiverTrial.run(seed: seed)
      receivers += tallies
      return tallies.fingerprint
    case .late:
      let tally = try LateWalkTrial.run(seed: seed)
      late += tally
      return tally.fingerprint
    case .forged:
      let trial = try ForgeryTrial.run(seed: seed)
      forged += trial
      return trial.fingerprint
    }
  }

  func lines(of subject: Subject) -> [String] {
    switch subject {
    case .server: server.lines
    case .territory: [territory.line]
    case .paths: [paths.line]
    case .receivers: receivers.lines
    case .late: [late.line]
    case .forged: forged.lines
    }
  }
}
