// `madang-loadtest places`: bots that walk through a city outside of rooms, and the cost of their watch for the server.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Places: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Walk through a city outside of rooms, and measure the cost of watching places.",
    discussion: """
      Each bot walks in a square around one place and sends a fix a second. With --unwatched the same fixes go without a \
      watch and are refused, for comparison: the difference of the server's CPU time is that of the watch. Fences are \
      the server's, `madang fences import` brings them; capsules are in its store. Prints the times from a fix to its \
      answer and to the notifications that it has led to, and with --server-pid CPU time and memory. Exits with 1 when a \
      connection was never ready.
      """
  )

  @Option(help: "The URL of the server.")
  var url = "ws://127.0.0.1:8080/v1/play"

  @Option(help: "The number of bots.")
  package var players = 1_000

  @Option(help: "The side of the square in which they walk, 20 to 20000 m.")
  package var squareM = 10_000

  @Option(help: "Seconds of walking that are measured, 2 to 3600.")
  package var seconds = 60

  @Option(help: "The new connections a second, 1 to 5000. A server takes 6000 new guests a minute from one address.")
  package var connectsPerSecond = 1_000

  @Flag(help: "Sends the fixes without a watch.")
  package var unwatched = false

  @Option(help: "The server's process, to measure its CPU time and memory.")
  var serverPID: Int32?

  @Option(help: "The seed of ways and moments.")
  var seed: UInt64 = 1

  package init() {}

  private static let warmSeconds = 5

  package func validate() throws {
    guard (1...19_000).contains(players) else { throw ValidationError("--players must be 1 to 19000.") }
    guard (20...20_000).contains(squareM) else { throw ValidationError("--square-m must be 20 to 20000.") }
    guard (1...5_000).contains(connectsPerSecond) else {
      throw ValidationError("--connects-per-second must be 1 to 5000.")
    }
    guard (2...3_600).contains(seconds) else { throw ValidationError("--seconds must be 2 to 3600.") }
  }

  package func run() async throws {
    let pace = ConnectPace(connections: players, perSecond: connectsPerSecond)
    let plan = HoldPlan(
      target: try ServerTarget(url: url, trusting: nil, subprotocol: .proto),
      runID: .random(in: .min ... .max),
      connections: players,
      inRooms: players,
      players: players,
      stepMicroseconds: nil,
      pace: pace,
      gameSeconds: 0,
      seed: seed,
      places: PlacePlan(squareM: Double(squareM), watches: !unwatched)
    )
    let group = try HoldGroup(plan)
    let server = serverPID.map(ServerProcess.init)
    let bytesBefore = server?.memoryBytes
    group.start()
    let missing = await group.awaitReady()
    try await Task.sleep(for: .seconds(Self.warmSeconds))
    _ = await group.takeResults()
    let (cpuBegin, begin) = (server?.cpuMicroseconds, ContinuousClock.now)
    let before = await group.results()
    try await Task.sleep(for: .seconds(seconds))
    let (cpuEnd, end) = (server?.cpuMicroseconds, ContinuousClock.now)
    let results = await group.results()
    await group.stop()
    print("walked              \(results.movesOut - before.movesOut) fixes of \(players) players in \(seconds) s")
    for line in results.places.lines { print(line) }
    if let cpuBegin, let cpuEnd {
      let share = Double(cpuEnd - cpuBegin) / 1e6 / ((end - begin) / .seconds(1))
      let perFix = Double(cpuEnd - cpuBegin) / Double(max(1, results.movesOut - before.movesOut))
      print(
        "server's CPU        \(RampSteps.text(100 * share, digits: 1)) % of a core, \(RampSteps.text(perFix, digits: 1)) µs a fix"
      )
    }
    if let bytesBefore, let bytes = server?.memoryBytes {
      print("server's memory     \((bytes - bytesBefore) / Int64(players)) bytes for each player")
    }
    if missing > 0 {
      print("missed: \(missing) connections were never ready")
      throw ExitCode(1)
    }
  }
}
