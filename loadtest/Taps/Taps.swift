// `madang-loadtest taps`: players who tap for schools; the sum of all taps is compared with the server's.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Taps: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Tap for schools with bots, and check that the server counts every tap once.",
    discussion: """
      Each bot chooses a school and sends batches at a fixed rate, at most one of them unanswered, in the way of its kind. \
      At the end every batch is answered. Each school's count must then have grown by the taps that the answers confirmed: \
      nobody else may tap meanwhile. SIGINT ends the tapping early. Exits with 1 when an expectation is missed.

      --bots names the kinds of bots, which the players take in turn:

        honest    keeps the limits
        fast      taps too much, in a batch, in five seconds, in a second
        resender  sends numbers again, and numbers before their turn
        dropper   loses its connection between sending and answer, and comes back on another
        crasher   loses all but its device's secret between sending and answer, and comes back by hello
        mover     enters and leaves rooms between sending and answer, and so moves from shard to shard
        changer   changes its school

      The ranking's lateness has three measures. "after due" begins at the time at which the ranking was due, which it \
      carries, by the server's clock. "first to each" begins when the first watcher has it, and ends when each other one \
      has it. "behind an answer" begins with the answer to a batch and ends with the ranking that shows it, for the first \
      such batch of each ranking: up to half a second of that is the wait for the next ranking.
      """
  )

  @OptionGroup var target: TargetOptions

  @Option(help: "The number of players who tap.")
  package var players = 100

  @Option(help: "A name for the set of players: another run with the same name has the same players (default: random).")
  var roll: String?

  @Option(help: "The number of this run's first player in the set.")
  var first = 0

  @Option(help: "The step from one player's number to the next one's.")
  var step = 1

  @Option(parsing: .upToNextOption, help: "The kinds of bots, see above.")
  package var bots: [TapperKind] = [.honest]

  @Option(help: "Batches a second from each player, 0.1 to 4.")
  package var rate = 2.0

  @Option(help: "The number of further players, who watch the ranking.")
  package var watch = 0

  @Option(help: "The number of rows that most of them ask for, 1 to 100 (default: the server's own).")
  package var top: UInt32?

  @Option(
    help: """
      One watcher in this many checks the content of rankings, the others only their times: a check costs as much as \
      sending.
      """
  )
  package var lookEvery = 1

  @Option(help: "The number of schools to choose from, the first of the list.")
  package var schools = 200

  @Option(help: "Seconds of tapping.")
  package var seconds = 30

  @Option(help: "The seed of the bots' random choices.")
  var seed: UInt64 = 1

  @Option(help: "Threads for the bots.")
  package var shards = 1

  @Option(help: "The number of connections begun in a second.")
  package var connectsPerSecond = 500

  @Flag(
    help: "The server may die and come back. The bots come back too, and a line reports each change of their number."
  )
  var survive = false

  @Flag(
    help: """
      Seasons may be closed and taps voided while the server is away. Players' counts may then begin anew, and schools' \
      counts may fall. The sums are then compared with --totals.
      """
  )
  var operated = false

  @Option(help: "A file for the confirmed taps of each school and its count at the end, as JSON.")
  var totals: String?

  @Option(help: "Fail when there are more errors and lost connections than this.")
  var expectErrors: Int?

  @Option(help: "Fail when an expectation of these bots was met less often than this.")
  var expectMet: Int?

  @Option(help: "Fail when fewer batches counted than this.")
  var expectBatches: Int?

  @Option(help: "Fail when the 99th percentile of the time to the answer is over this; milliseconds.")
  var p99MS: Double?

  @Option(help: "Fail when the 99th percentile of the ranking's lateness is over this, in any way; milliseconds.")
  var lateP99MS: Double?

  package init() {}

  package func validate() throws {
    guard players >= 1, watch >= 0 else { throw ValidationError("--players must be 1 or more, --watch 0 or more.") }
    guard (0...1_000_000_000).contains(first), (1...1_000_000).contains(step) else {
      throw ValidationError("--first must be 0 to 1000000000, --step 1 to 1000000.")
    }
    guard (0.1...4).contains(rate) else { throw ValidationError("--rate must be 0.1 to 4.") }
    guard top.map({ (1...100).contains($0) }) ?? true else { throw ValidationError("--top must be 1 to 100.") }
    guard schools >= 1, seconds >= 1, lookEvery >= 1 else {
      throw ValidationError("--schools, --seconds and --look-every must be 1 or more.")
    }
    guard survive || !operated else { throw ValidationError("--operated goes with --survive.") }
    guard (1...64).contains(shards) else { throw ValidationError("--shards must be 1 to 64.") }
    guard (1...1_000_000).contains(connectsPerSecond) else {
      throw ValidationError("--connects-per-second must be 1 to 1000000.")
    }
  }

  package func run() async throws {
    let stop = StopSignal()
    var misses: [String] = []
    let plan = try await plan()
    let group = try TapsGroup(plan)
    group.start()
    let missing = await group.finish(within: plan.pace.seconds + TapsPlan.enteringSecondsMax)
    if let missing { misses.append("players have not begun: \(missing)") }
    let there = await group.status().done
    say("players             \(there) of \(plan.players) there, \(plan.schools.count) schools to choose from")
    let used = ServerUse(target.serverPID)
    group.tap(in: await group.results().sums.before.keys.sorted())
    let began = ContinuousClock.now
    await tap(group, until: began + .seconds(seconds), stop)
    let tappedSeconds = (ContinuousClock.now - began) / .seconds(1)
    let use = used.text(batches: await group.results().counted)
    misses += await drain(group)
    let results = conserved(await group.end())
    for line in use + results.lines(seconds: tappedSeconds) { print(line) }
    if let totals { try TapsTotals(results).write(to: totals) }
    try check(results, plan, misses)
  }

  private func plan() async throws -> TapsPlan {
    let server = try target.target()
    let name = roll ?? String(UInt64.random(in: .min ... .max))
    let found: [String]
    switch try await SchoolListing.schools(of: server, most: schools, secret: "loadtest-\(name)-schools") {
    case .found(let schools): found = schools
    case .failed(let why): throw ValidationError("There is nothing to choose from: \(why).")
    }
    return TapsPlan(
      target: server,
      identities: PlayerIdentities(name: name, first: first, step: step),
      tappers: players,
      kinds: bots,
      intervalMicroseconds: Int64(1_000_000 / rate),
      watchers: watch,
      top: top,
      lookEvery: lookEvery,
      schools: found,
      pace: ConnectPace(connections: players + watch, perSecond: connectsPerSecond),
      shards: shards,
      seed: seed,
      survives: survive,
      isOperated: operated
    )
  }

  /// Waits, reporting the number of players that are back from the server's last end.
  private func tap(_ group: TapsGroup, until end: ContinuousClock.Instant, _ stop: StopSignal) async {
    var back: Int?
    while ContinuousClock.now < end, !stop.hasCome {
      if survive {
        let now = await group.status().back
        if now != back { say("back \(now)") }
        back = now
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Waits for all answers, and asks for all totals. Returns the unfinished work.
  private func drain(_ group: TapsGroup) async -> [String] {
    group.drain()
    if let open = await group.finish(within: TapsPlan.drainSecondsMax) {
      return ["batches are not answered: \(open)"]
    }
    group.audit(abandoned: [])
    var unconfirmed = await group.finish(within: TapsPlan.drainSecondsMax)
    let abandoned = await group.results().sums.unaudited
    if unconfirmed == nil, !abandoned.isEmpty {
      group.audit(abandoned: abandoned)
      unconfirmed = await group.finish(within: TapsPlan.drainSecondsMax)
    }
    return unconfirmed.map { ["totals were not received: \($0)"] } ?? []
  }

  private func conserved(_ results: TapsResults) -> TapsResults {
    var results = results
    for (_, complaint) in results.sums.verdicts(isOperated: operated) where complaint != nil || !operated {
      results.expectations.note(.conserved, complaint == nil, complaint ?? "")
    }
    return results
  }

  private func check(_ results: TapsResults, _ plan: TapsPlan, _ earlier: [String]) throws {
    var misses = earlier
    if results.expectations.missedCount > 0 {
      misses.append("the bots' expectations \(results.expectations.missedCount) times")
    }
    if let expectErrors, results.errorCount > expectErrors {
      misses.append("\(results.errorCount) errors, at most \(expectErrors) expected")
    }
    if let expectMet {
      for expectation in plan.expectations where results.expectations.met(expectation) < expectMet {
        misses.append("\(results.expectations.met(expectation)) times met, \(expectMet) expected: \(expectation.text)")
      }
    }
    if let expectBatches, results.counted < expectBatches {
      misses.append("\(results.counted) batches have counted, \(expectBatches) expected")
    }
    misses += lateness(results)
    guard !misses.isEmpty else { return }
    for miss in misses { print("missed: \(miss)") }
    throw ExitCode(1)
  }

  private func lateness(_ results: TapsResults) -> [String] {
    var misses: [String] = []
    if let p99MS, let p99 = results.roundTrips.ms(99), p99 > p99MS {
      misses.append("answers' p99 \(p99) ms, at most \(p99MS) expected")
    }
    guard let lateP99MS else { return misses }
    // A batch waits for the next ranking.
    let waitingMS = Double(Limits.rankingIntervalMs)
    for (name, times, most) in [
      ("after due", results.lateness, lateP99MS), ("from first to each", results.spread, lateP99MS),
      ("behind an answer", results.sinceAnswer, waitingMS + lateP99MS),
    ] {
      guard let p99 = times.ms(99), p99 > most else { continue }
      misses.append("the ranking's p99 \(name) \(p99) ms, at most \(most) expected")
    }
    return misses
  }

  private func say(_ line: String) {
    print(line)
    // A person who kills the server meanwhile then knows the time.
    fflush(nil)
  }
}
