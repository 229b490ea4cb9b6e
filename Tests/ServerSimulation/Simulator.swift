// The runs of seeds. Each runs once; a failed one runs again with a trace, so that only failures pay for lines of text.
//
// Functions of a seed; callable on any thread.

/// One seed's run, or its failure.
package enum Simulator {
  package struct Failure: Error, CustomStringConvertible {
    package let seed: UInt64
    package let why: String
    /// The newest lines of the trace.
    package let lines: [String]

    package var description: String { "seed \(seed): \(why)" }
  }

  /// Runs a seed. With `twice` it runs again, and must give the same result.
  package static func run(seed: UInt64, twice: Bool = false) throws -> Report {
    do {
      let report = try live(seed)
      guard twice else { return report }
      let again = try live(seed)
      try BrokenRule.unless(report.fingerprint == again.fingerprint, .sameAgain, "another fingerprint")
      return report
    } catch let broken as BrokenRule {
      throw Failure(seed: seed, why: "\(broken)", lines: trace(seed))
    }
  }

  /// The rule that a run with a fault on purpose is found to break; nil where none is found.
  package static func found(_ fault: BrokenOnPurpose, seed: UInt64) throws -> Rule? {
    do {
      try world(seed, brokenOnPurpose: fault).run()
      return nil
    } catch let broken as BrokenRule {
      return broken.rule
    }
  }

  private static func world(
    _ seed: UInt64,
    isTraced: Bool = false,
    brokenOnPurpose: BrokenOnPurpose? = nil
  ) throws -> World {
    try World(seed: seed, isTraced: isTraced, brokenOnPurpose: brokenOnPurpose) { plan, start, random in
      plan.makeWorkloads(from: start, &random)
    }
  }

  private static func live(_ seed: UInt64) throws -> Report {
    let world = try world(seed)
    try world.run()
    return world.report
  }

  /// The newest lines of a failing run; it fails the same way again.
  package static func trace(_ seed: UInt64) -> [String] {
    do {
      let world = try world(seed, isTraced: true)
      do {
        try world.run()
        return world.lines + ["(no rule was broken)"]
      } catch {
        return world.lines + ["\(error)"]
      }
    } catch {
      return ["\(error)"]
    }
  }
}
