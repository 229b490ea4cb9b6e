// `madang-loadtest walk`: rooms full of bots that play and chat, and their measurements.
import ArgumentParser
import Dispatch
import Foundation
import MadangProtocol
import Net
import ReceiverErrors

package struct Walk: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Play games with bots: footprint, territory or land.",
    discussion: """
      Makes the rooms, joins, starts, walks and chats until the server has ended every game. Then prints a table of the \
      bots' expectations, which they compute themselves: how often each was met and how often missed. Exits with 1 when \
      an expectation is missed.

      --bots names the kinds of bots, which take a room's seats in turn, in each room one seat further:

        walker      walks along --gpx or at random
        looper      TERRITORY: closes paths in all three ways
        thief       TERRITORY: goes around what others hold; with --cutting it also crosses their paths
        lapper      LAND: walks around the room's lands
        quitter     LAND: strays from its first run, gives it up, and begins again
        teleporter  any mode: plays honestly for half of the game, and then is everywhere
        speeder     the same, and then is faster than allowed
        frozen      the same, and then its clock stands still
        mocker      the same, and then its phone says that the fixes are mocked

      With --fill each room has practice opponents besides, for which the server walks. They need bots that reckon no \
      cuts, so it goes without --cutting.

      With --dead-zones or --receiver all bots are phones: each walks along --gpx, at random, or in LAND around the \
      room's first land, one fix a second, and keeps its fixes until the server has judged them. Points, distance and the time of a \
      run must be those that the bot calculates. --dead-zones takes away the network: gaps, told and silent, stalls, \
      reconnects, and apps that are killed and find their queue on the disk. Each room then has a twin, of the same walks \
      without gaps, whose results must be the same. The server may be killed and started again meanwhile. --receiver adds \
      the errors of real receivers to each fix. In shared games no gap lasts longer than 95 s or beyond the game.
      """
  )

  @OptionGroup var target: TargetOptions
  @OptionGroup package var game: GameOptions

  @Option(parsing: .upToNextOption, help: "GPX 1.1 files for walkers, in turn; without any, seeded random walks.")
  var gpx: [String] = []

  @Option(help: "Phones lose the network: short (gaps of 5 to 20 s) or long (of 5 s to 10 min).")
  var deadZones: DeadZones?

  @Option(help: "Phones have receivers with the errors of real ones: open, city or canyon.")
  var receiver: ReceiverClass?

  @Option(help: "The seed of the bots' random choices.")
  var seed: UInt64 = 1

  @Option(help: "Threads for the bots.")
  var shards = 1

  @Option(help: "The number of rooms begun in a second (default: all at once).")
  var roomsPerSecond: Int?

  @Flag(help: "Start no game before all rooms are full; then start them at the pace of --rooms-per-second, or at once.")
  var startTogether = false

  @Flag(help: "Compare each footprint board with the walkers' own result: differences are misses; with --rate 1.")
  var checkBoards = false

  @Option(help: "Fail when there are more errors than this.")
  var expectErrors: Int?

  @Option(help: "Fail when the bots' expectations are missed more often than this.")
  var expectMisses: Int?

  @Option(help: "Fail when an expectation of these bots was met less often than this.")
  var expectMet: Int?

  @Option(help: "Fail when the 99th percentile of tick lateness is over this; milliseconds.")
  var p99MS: Double?

  package init() {}

  package func validate() throws {
    try game.validate()
    guard !checkBoards || game.rate == 1 && game.mode == .footprint else {
      throw ValidationError("--check-boards goes with --rate 1 in footprint mode.")
    }
    guard !arePhones || game.rate == 1 && roomsPerSecond == nil && !startTogether && game.resumeEvery == nil else {
      throw ValidationError(
        "--dead-zones and --receiver go with --rate 1, all rooms at once, without --start-together and --resume-every."
      )
    }
    guard !arePhones || game.fill == 0 else {
      throw ValidationError("--dead-zones and --receiver go without --fill.")
    }
    guard !arePhones || game.bots.isEmpty else {
      throw ValidationError("--dead-zones and --receiver have their own bots.")
    }
    guard roomsPerSecond ?? 1 >= 1 else { throw ValidationError("--rooms-per-second must be 1 or more.") }
  }

  private var arePhones: Bool { deadZones != nil || receiver != nil }

  package func run() async throws {
    let plan = try plan()
    guard !arePhones else {
      let results = try await Phones(walk: plan, deadZones, receiver, shards: shards, seed: seed).play(target.serverPID)
      return try check(results)
    }
    let server = ServerUsage(target.serverPID.map(ServerProcess.init), rooms: plan.rooms)
    let runID = UInt64.random(in: .min ... .max)
    let group = try ShardGroup(count: shards) { core in BotService(core, plan, runID: runID, server) }
    let services = ServiceShards<BotService>(group.shards)
    for index in 0..<services.count {
      let rooms = Array(stride(from: index, to: plan.rooms, by: shards))
      services[index].post { $0.begin(rooms: rooms) }
    }
    // The rooms are made at their pace, and the games may be started at it.
    let beginSeconds = roomsPerSecond.map { (startTogether ? 2 : 1) * plan.rooms / $0 } ?? 0
    let results = await finish(group, by: .now + .seconds(plan.seconds + beginSeconds + 30))
    print(results.table(server: server))
    try check(results)
  }

  private func plan() throws -> WalkPlan {
    WalkPlan(
      target: try target.target(),
      mode: game.mode,
      rooms: game.rooms,
      players: game.players,
      fill: game.fill,
      kinds: game.kinds,
      rateHz: game.rate,
      tickHz: game.tickHz ?? (game.rate > GameOptions.tickHzOfServer ? game.rate : nil),
      seconds: game.seconds,
      seed: seed,
      tracks: try gpx.map(GPX.read),
      pace: game.pace,
      cellM: game.cellM,
      cells: game.cells,
      cutting: game.cutting,
      landIDs: game.landIDs,
      resumeSeconds: game.resumeSeconds,
      isSilent: game.silent,
      roomsPerSecond: roomsPerSecond,
      startsTogether: startTogether,
      checksBoards: checkBoards
    )
  }

  /// Waits until every game has ended, or until the deadline, after which something must be wrong.
  private func finish(_ group: ShardGroup, by deadline: ContinuousClock.Instant) async -> Results {
    let services = ServiceShards<BotService>(group.shards)
    var isFinished = false
    while !isFinished, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(100))
      isFinished = await withCheckedContinuation { continuation in
        services.gather {
          $0.isFinished
        } completion: { finished in
          continuation.resume(returning: finished.allSatisfy { $0 })
        }
      }
    }
    return await withCheckedContinuation { continuation in
      services.gather {
        $0.conclude()
      } completion: { parts in
        var sum = Results()
        for part in parts { sum.add(part) }
        let results = sum
        group.stop { continuation.resume(returning: results) }
      }
    }
  }

  private func check(_ results: Results) throws {
    var misses: [String] = []
    if let expectErrors, results.errorCount > expectErrors {
      misses.append("\(results.errorCount) errors, at most \(expectErrors) expected")
    }
    let missed = results.expectations.missedCount
    if let expectMisses, missed > expectMisses {
      misses.append("the bots' expectations missed \(missed) times, at most \(expectMisses) expected")
    }
    if let expectMet {
      for expectation in Expectation.allCases
      where results.personas.contains(expectation) && results.expectations.met(expectation) < expectMet {
        misses.append("\(results.expectations.met(expectation)) times met, \(expectMet) expected: \(expectation.text)")
      }
    }
    if results.boards.count < game.rooms { misses.append("\(results.boards.count) of \(game.rooms) games ended") }
    if let p99MS, let p99 = results.tickLateness.ms(99), p99 > p99MS {
      misses.append("tick lateness p99 \(p99) ms, at most \(p99MS) expected")
    }
    guard !misses.isEmpty else { return }
    for miss in misses { print("missed: \(miss)") }
    throw ExitCode(1)
  }
}
