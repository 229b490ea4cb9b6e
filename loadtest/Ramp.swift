// `madang-loadtest ramp`: more and more games until the server no longer keeps up, and its behaviour beyond.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Ramp: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Start more and more games until the server no longer keeps up, and go on beyond.",
    discussion: """
      Fills --rooms rooms in the lobby, then starts games in steps and measures each step: the tick frames that arrive \
      against those that are due, and the time to the answers of some chats and read cursors. The knee is the step with \
      the most frames at which 98 % of those due arrive; two steps in turn without them end the search. Then come \
      --rounds rounds with the knee's games, 1.5 and 2 times as many, whose medians are compared. Give the server less \
      than the bots have, half a core for example: a run in which the bots take over 90 % of a core, or wait for a \
      processor over 10 % of the time, does not count. Exits with 1 for such a run, and when an expectation is missed.
      """
  )

  @Option(help: "The URL of the server.")
  var url = "ws://127.0.0.1:8080/v1/play"

  @Option(help: "The number of rooms, all of them filled before the first game.")
  package var rooms = 2_400

  @Option(help: "The number of players in each, 2 to 200.")
  package var players = 4

  @Option(help: "Positions a second from each player, 1 to 19.")
  package var rate = 10

  @Option(help: "Ticks a second of each room, 1 to 20, at most half its positions; as many as --rate if not given.")
  var tickHz: Int?

  @Option(help: "The number of games in the first step; each step has a tenth more.")
  package var firstRooms = 300

  @Option(help: "Seconds of each step, 3 to 60; the first third is not measured, for games begin in it.")
  package var stepSeconds = 9

  @Option(help: "Rounds at the knee and beyond, 1 to 9.")
  package var rounds = 3

  @Option(help: "Durable commands a second, of all bots together, whose answers are timed.")
  package var commandsPerSecond = 200

  @Option(help: "The number of connections begun in a second.")
  var connectsPerSecond = 1_000

  @Option(help: "json or proto; json offers compression, as browsers do.")
  var subprotocol = "proto"

  @Option(help: "The server's process, to report its CPU time.")
  var serverPID: Int32?

  @Option(help: "A file for a picture of the frames over the load (SVG).")
  var svg: String?

  @Option(help: "Fail when fewer frames than this share of the knee's arrive beyond the knee.")
  var expectShare: Double?

  @Option(help: "Fail when the 99th percentile of the time to an answer beyond the knee is over this; milliseconds.")
  var answersP99MS: Double?

  package init() {}

  package func validate() throws {
    guard rooms >= 1, (1...rooms).contains(firstRooms) else {
      throw ValidationError("--rooms must be 1 or more, --first-rooms 1 to --rooms.")
    }
    guard (2...200).contains(players) else { throw ValidationError("--players must be 2 to 200.") }
    guard (1...19).contains(rate) else { throw ValidationError("--rate must be 1 to 19.") }
    guard (1...min(20, players * rate / 2)).contains(ticksPerSecond) else {
      throw ValidationError("--tick-hz must be 1 to 20, and at most half of --players times --rate.")
    }
    guard (3...60).contains(stepSeconds) else { throw ValidationError("--step-seconds must be 3 to 60.") }
    guard (1...9).contains(rounds) else { throw ValidationError("--rounds must be 1 to 9.") }
    guard (1...rooms * players).contains(commandsPerSecond) else {
      throw ValidationError("--commands-per-second must be 1 to the number of bots.")
    }
    guard (1...1_000_000).contains(connectsPerSecond) else {
      throw ValidationError("--connects-per-second must be 1 to 1000000.")
    }
    guard Subprotocol(flag: subprotocol) != nil else { throw ValidationError("--subprotocol is json or proto.") }
  }

  /// Of each room. A tick without a new position is not sent, so each has two or more.
  package var ticksPerSecond: Int { tickHz ?? rate }

  /// Longer than any run.
  private static let gameSeconds = 7_200

  package func run() async throws {
    let group = try HoldGroup(try plan())
    group.start()
    let missing = await group.awaitReady()
    guard missing == 0 else {
      print("missed: \(missing) connections were never ready")
      throw ExitCode(1)
    }
    group.sendCommands(true)
    print(RampSteps.header)
    var steps = try await climb(group)
    let beyond = try await goBeyond(group, &steps)
    group.sendCommands(false)
    await group.stop()
    if let svg {
      let picture = RampPicture(steps, players: players, rateHz: rate, tickHz: ticksPerSecond)
      try Data(picture.svg.utf8).write(to: URL(filePath: svg))
    }
    try check(steps, beyond)
  }

  /// Starts games until the server no longer keeps up. One slow step may be the machine's; two are the server's.
  private func climb(_ group: HoldGroup) async throws -> RampSteps {
    var steps = RampSteps()
    var count = firstRooms
    var misses = 0
    while true {
      let step = try await measure(count, group)
      steps.append(step)
      misses = step.share < RampSteps.shareMin ? misses + 1 : 0
      guard misses < 2, count < rooms else { return steps }
      count = min(rooms, max(count + 1, count * 11 / 10))
    }
  }

  /// Plays the knee's games and more, in turn. The steps get the medians, and each step that the bots may have spoiled.
  private func goBeyond(_ group: HoldGroup, _ steps: inout RampSteps) async throws -> RampRounds {
    var beyond = RampRounds()
    guard let knee = steps.knee else { return beyond }
    for _ in 0..<rounds {
      for (index, factor) in RampRounds.factors.enumerated() {
        let count = Int(Double(knee.rooms) * factor)
        guard count <= rooms else { continue }
        let step = try await measure(count, group)
        beyond.append(step, at: index)
        steps.noteBots(of: step)
      }
    }
    for index in RampRounds.factors.indices.dropFirst() {
      if let step = beyond.median(at: index) { steps.append(step) }
    }
    return beyond
  }

  private func measure(_ count: Int, _ group: HoldGroup) async throws -> RampStep {
    group.play(first: count)
    let beginning = stepSeconds / 3
    try await Task.sleep(for: .seconds(beginning))
    let server = serverPID.map(ServerProcess.init)
    let before = await group.takeResults()
    let (cpuBefore, ownBefore, begin) = (server?.cpuMicroseconds, Self.ownSeconds, ContinuousClock.now)
    try await Task.sleep(for: .seconds(stepSeconds - beginning))
    let after = await group.takeResults()
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let own = Self.ownSeconds
    let frames = Double(after.playTicksIn - before.playTicksIn)
    let step = RampStep(
      rooms: count,
      duePerSecond: Double(count * players * ticksPerSecond),
      deliveredPerSecond: frames / seconds,
      answerP50Ms: after.commands.times.ms(50),
      answerP99Ms: after.commands.times.ms(99),
      lateP99Ms: after.tickLateness.ms(99),
      cpuUsPerFrame: cpuBefore.flatMap { before in server?.cpuMicroseconds.map { Double($0 - before) / max(1, frames) }
      },
      botCPUShare: (own.cpu - ownBefore.cpu) / seconds,
      botWaitShare: (own.wait - ownBefore.wait) / seconds,
      errors: after.errorCount - before.errorCount
    )
    print(RampSteps.line(step))
    fflush(nil)
    return step
  }

  /// The CPU time of this process so far, and its waits for a processor.
  private static var ownSeconds: (cpu: Double, wait: Double) {
    let own = ServerProcess(pid: ProcessInfo.processInfo.processIdentifier)
    return (Double(own.cpuMicroseconds ?? 0) / 1_000_000, Double(own.waitedMicroseconds ?? 0) / 1_000_000)
  }

  private func plan() throws -> HoldPlan {
    let bots = rooms * players
    return HoldPlan(
      target: try ServerTarget(url: url, trusting: nil, subprotocol: Subprotocol(flag: subprotocol) ?? .proto),
      runID: .random(in: .min ... .max),
      connections: bots,
      inRooms: bots,
      players: players,
      stepMicroseconds: 1_000_000 / Int64(rate),
      pace: ConnectPace(connections: bots, perSecond: connectsPerSecond),
      gameSeconds: Self.gameSeconds,
      tickHz: ticksPerSecond,
      startsGames: false,
      commands: CommandLoad(rooms: rooms, players: players, perSecond: commandsPerSecond)
    )
  }

  private func check(_ steps: RampSteps, _ beyond: RampRounds) throws {
    var misses: [String] = []
    if let knee = beyond.median(at: 0) {
      print("the knee: \(knee.rooms) rooms, \(RampSteps.text(knee.deliveredPerSecond, digits: 0)) frames/s")
      for (index, factor) in RampRounds.factors.enumerated().dropFirst() {
        guard let share = beyond.share(at: index) else {
          misses.append("--rooms is less than \(RampSteps.text(factor)) times the knee")
          continue
        }
        let p99 = beyond.answersP99Ms(at: index)
        let text =
          "\(RampSteps.text(share * 100)) % of the knee's frames with \(RampSteps.text(factor)) times the rooms, "
          + "answers p99 at most \(RampSteps.text(p99)) ms"
        print(text)
        if let expectShare, share < expectShare { misses.append("\(text), \(expectShare * 100) % expected") }
        if let answersP99MS, p99 ?? .infinity > answersP99MS { misses.append("\(text), \(answersP99MS) expected") }
      }
    } else {
      misses.append("\(firstRooms) rooms are too many to begin with")
    }
    if let flaw = steps.flaw { misses.append("\(flaw): this run does not count") }
    guard !misses.isEmpty else { return }
    for miss in misses { print("missed: \(miss)") }
    throw ExitCode(1)
  }
}
