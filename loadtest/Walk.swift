// `madang-loadtest walk`: rooms full of bots that walk and chat, and what they measured.
import ArgumentParser
import Dispatch
import Foundation
import MadangProtocol
import Net
import Synchronization

struct Walk: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play footprint games with bots that walk along tracks, or at random.",
    discussion: """
      Makes the rooms, joins, starts, walks and chats until the server has ended every game, then prints a table. \
      Exits with 1 when an expectation is missed.
      """
  )

  @Option(help: "Where the server is.")
  var url = "ws://127.0.0.1:8080/v1/play"

  @Option(parsing: .upToNextOption, help: "GPX 1.1 files to walk along, in turn; without any, seeded random walks.")
  var gpx: [String] = []

  @Option(help: "How many rooms.")
  var rooms = 1

  @Option(help: "How many players in each, 1 (a solo room) to 200.")
  var players = 4

  @Option(help: "Positions a second from each player, 1 to 19.")
  var rate = 1

  @Option(help: "How long each game lasts, 10 to 7200.")
  var seconds = 60

  @Option(help: "What random walks follow from.")
  var seed: UInt64 = 1

  @Option(help: "json or proto; json offers compression, as browsers do.")
  var subprotocol = "proto"

  @Option(help: "A PEM file with the certificates to trust, for wss:// (default: those that the system trusts).")
  var tlsCA: String?

  @Option(help: "Threads for the bots.")
  var shards = 1

  @Option(help: "The server's process, to report the CPU time that it takes meanwhile.")
  var serverPID: Int32?

  @Flag(help: "Hold each board against the bots' own reckoning, and count what differs as errors; with --rate 1.")
  var checkBoards = false

  @Option(help: "Fail when there are more errors than this.")
  var expectErrors: Int?

  @Option(help: "Fail when the 99th percentile of tick lateness is over this; milliseconds.")
  var p99MS: Double?

  func validate() throws {
    guard rooms >= 1 else { throw ValidationError("--rooms must be 1 or more.") }
    guard (1...200).contains(players) else { throw ValidationError("--players must be 1 to 200.") }
    guard (1...19).contains(rate) else { throw ValidationError("--rate must be 1 to 19.") }
    guard !checkBoards || rate == 1 else { throw ValidationError("--check-boards goes with --rate 1.") }
    guard (10...7_200).contains(seconds) else { throw ValidationError("--seconds must be 10 to 7200.") }
    guard Subprotocol(flag: subprotocol) != nil else { throw ValidationError("--subprotocol is json or proto.") }
  }

  func run() async throws {
    let plan = try plan()
    let cpuAtBegin = Mutex<Int64?>(nil)
    let server = serverPID.map(ServerProcess.init)
    let runID = UInt64.random(in: .min ... .max)
    let group = try ShardGroup(count: shards) { core in
      BotService(core, plan, runID: runID) {
        cpuAtBegin.withLock { begin in if begin == nil { begin = server?.cpuMicroseconds } }
      }
    }
    for room in 0..<plan.rooms {
      group.shards[room % shards].post { ($0.core.service as? BotService)?.begin(room: room) }
    }
    let results = await finish(group, by: .now + .seconds(Double(seconds) + 30))
    let cpuBefore = cpuAtBegin.withLock { $0 }
    let cpu = cpuBefore.flatMap { before in server?.cpuMicroseconds.map { $0 - before } }
    print(results.table(serverCPUMicroseconds: cpu))
    try check(results)
  }

  private func plan() throws -> WalkPlan {
    WalkPlan(
      target: try ServerTarget(url: url, trusting: tlsCA, subprotocol: Subprotocol(flag: subprotocol) ?? .proto),
      rooms: rooms,
      players: players,
      rateHz: rate,
      seconds: seconds,
      seed: seed,
      tracks: try gpx.map(GPX.read),
      checksBoards: checkBoards
    )
  }

  /// Waits until every game has ended, or for so long that something must be wrong.
  private func finish(_ group: ShardGroup, by deadline: ContinuousClock.Instant) async -> Results {
    var isFinished = false
    while !isFinished, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(100))
      isFinished = await withCheckedContinuation { continuation in
        group.gather {
          ($0.core.service as? BotService)?.isFinished ?? true
        } completion: { finished in
          continuation.resume(returning: finished.allSatisfy { $0 })
        }
      }
    }
    return await withCheckedContinuation { continuation in
      group.gather {
        ($0.core.service as? BotService)?.conclude() ?? Results()
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
    if results.boards.count < rooms { misses.append("\(results.boards.count) of \(rooms) games ended") }
    let p99 = results.tickLateness.ms(99)
    if let p99MS, p99 > p99MS { misses.append("tick lateness p99 \(p99) ms, at most \(p99MS) expected") }
    guard !misses.isEmpty else { return }
    for miss in misses { print("missed: \(miss)") }
    throw ExitCode(1)
  }
}
