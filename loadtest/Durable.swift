// `madang-loadtest durable`: commands answered after their commit, at a fixed rate, with positions beside them.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Durable: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Send durable commands from rooms full of bots, and time their answers.",
    discussion: """
      All bots sit in rooms whose games are on. Commands go out by the clock, whatever the server does, one bot after the \
      other; each is a request that is answered after its commit. Every other one is drawn to be a chat, if the bot said \
      nothing within the last second (the server lets one through each second); all others are readChat, which moves a \
      read cursor: as durable as a chat, but nobody is notified before the next tick. The table says how many of each there \
      were. Positions, which need no commit, are sent beside them. Times are from sending to the answer, as the bots see \
      it. The bytes that the server wrote are write_bytes of /proc/PID/io, which needs the right to read it. Exits with 1 when an \
      expectation is missed, or when fewer than 98 of 100 commands were acknowledged in time.
      """
  )

  @Option(help: "The URL of the server.")
  var url = "ws://127.0.0.1:8080/v1/play"

  @Option(help: "The number of rooms.")
  package var rooms = 500

  @Option(help: "The number of players in each, 2 to 200.")
  package var players = 4

  @Option(help: "Durable commands a second, of all bots together.")
  package var commandsPerSecond = 1_000

  @Option(help: "Positions a second, of all bots together; 0 for none.")
  package var positionsPerSecond = 1_000

  @Option(help: "Ticks a second of the rooms, 1 to 20.")
  package var tickHz = 2

  @Option(help: "Seconds of sending, 1 to 6600.")
  package var seconds = 60

  @Option(help: "The seed of the commands' random choice.")
  var seed: UInt64 = 1

  @Option(help: "The number of connections begun in a second.")
  var connectsPerSecond = 500

  @Option(help: "json or proto; json offers compression, as browsers do.")
  var subprotocol = "proto"

  @Option(help: "The server's process, to report the CPU time and the bytes written meanwhile.")
  var serverPID: Int32?

  @Option(help: "Fail when there are more errors, refusals and disconnects than this.")
  var expectErrors: Int?

  @Option(help: "Fail when the 99th percentile of the time to the answer is over this; milliseconds.")
  var p99MS: Double?

  package init() {}

  package func validate() throws {
    guard rooms >= 1 else { throw ValidationError("--rooms must be 1 or more.") }
    guard (2...200).contains(players) else { throw ValidationError("--players must be 2 to 200.") }
    guard commandsPerSecond >= 1, positionsPerSecond >= 0 else {
      throw ValidationError("--commands-per-second must be 1 or more, --positions-per-second 0 or more.")
    }
    // The server accepts 20 messages a second from each connection.
    guard commandsPerSecond + positionsPerSecond <= rooms * players * (Limits.messagesPerSecond - 1) else {
      throw ValidationError("A bot may send \(Limits.messagesPerSecond - 1) messages a second: take more of them.")
    }
    guard (1...20).contains(tickHz) else { throw ValidationError("--tick-hz must be 1 to 20.") }
    guard (1...6_600).contains(seconds) else { throw ValidationError("--seconds must be 1 to 6600.") }
    guard (1...1_000_000).contains(connectsPerSecond), gameSeconds <= 7_200 else {
      throw ValidationError("--connects-per-second must be 1 to 1000000, and games last 7200 seconds at most.")
    }
    guard Subprotocol(flag: subprotocol) != nil else { throw ValidationError("--subprotocol is json or proto.") }
  }

  private var load: CommandLoad { CommandLoad(rooms: rooms, players: players, perSecond: commandsPerSecond) }

  private var pace: ConnectPace { ConnectPace(connections: load.bots, perSecond: connectsPerSecond) }

  /// The time for which answers are awaited after the last command.
  private static let answerSecondsMax = 10

  /// The length of a game: rooms that fill first must last to the end.
  private var gameSeconds: Int {
    max(10, pace.seconds + 2 * HoldPlan.readySecondsMax + seconds + Self.answerSecondsMax)
  }

  package func run() async throws {
    let group = try HoldGroup(try plan())
    group.start()
    let missing = await group.awaitReady()
    let before = await group.results(within: HoldPlan.readySecondsMax) { $0.gamesBegun == rooms }
    print("bots                \(load.bots - missing) ready, \(before.gamesBegun) of \(rooms) games begun")
    fflush(nil)
    let server = serverPID.map(ServerProcess.init)
    let used = (cpu: server?.cpuMicroseconds, bytes: server?.bytesWritten)
    let begin = ContinuousClock.now
    group.sendCommands(true)
    try await Task.sleep(until: begin + .seconds(seconds), clock: .continuous)
    group.sendCommands(false)
    let took = Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1_000
    let after = await group.results()
    if let cpu = server?.cpuMicroseconds, let cpuBefore = used.cpu {
      let messages = max(1, after.commands.sent + after.movesOut - before.movesOut)
      let tenths = (cpu - cpuBefore) * 10 / Int64(messages)
      print(
        "server CPU          \((cpu - cpuBefore) / 1_000) ms, \(tenths / 10).\(tenths % 10) µs for each command and position"
      )
    }
    if let bytes = server?.bytesWritten, let bytesBefore = used.bytes {
      let each = (bytes - bytesBefore) / Int64(max(1, after.commands.sent))
      print("server wrote        \(bytes - bytesBefore) bytes, \(each) for each command")
    }
    print("positions sent      \(after.movesOut - before.movesOut), tick frames \(after.ticksIn - before.ticksIn)")
    let results = await group.results(within: Self.answerSecondsMax) { $0.commands.open == 0 }
    await group.stop()
    for line in results.commands.lines(seconds: took) { print(line) }
    for line in results.lines { print(line) }
    try check(results, missing: missing)
  }

  private func plan() throws -> HoldPlan {
    HoldPlan(
      target: try ServerTarget(url: url, trusting: nil, subprotocol: Subprotocol(flag: subprotocol) ?? .proto),
      runID: .random(in: .min ... .max),
      connections: load.bots,
      inRooms: load.bots,
      players: players,
      stepMicroseconds: positionsPerSecond == 0 ? nil : Int64(load.bots) * 1_000_000 / Int64(positionsPerSecond),
      pace: pace,
      gameSeconds: gameSeconds,
      tickHz: tickHz,
      commands: load,
      seed: seed
    )
  }

  private func check(_ results: HoldResults, missing: Int) throws {
    var misses: [String] = []
    let commands = results.commands
    if missing > 0 { misses.append("\(missing) connections were never ready") }
    if results.gamesBegun < rooms { misses.append("\(results.gamesBegun) of \(rooms) games begun") }
    if let expectErrors, results.errorCount > expectErrors {
      misses.append("\(results.errorCount) errors, at most \(expectErrors) expected")
    }
    let wanted = commandsPerSecond * seconds
    if commands.acknowledged < wanted * 98 / 100 {
      misses.append("\(commands.acknowledged) of \(wanted) commands acknowledged")
    }
    if let p99MS, let p99 = commands.times.ms(99), p99 > p99MS {
      misses.append("answers' p99 \(p99) ms, at most \(p99MS) expected")
    }
    guard !misses.isEmpty else { return }
    for miss in misses { print("missed: \(miss)") }
    throw ExitCode(1)
  }
}
