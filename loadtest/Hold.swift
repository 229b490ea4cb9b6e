// `madang-loadtest hold`: many connections held for long, and their cost for the server.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Hold: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Hold many connections, most of them idle, and watch the server's memory.",
    discussion: """
      Connects at an even pace; the first --in-rooms bots sit in rooms and move, the others say hello and idle. Once all \
      are ready it holds them, telling the server's memory each minute, and then what it saw. Memory is the process's \
      own (RssAnon in /proc/PID/status): neither the program's file nor what the kernel keeps for sockets. Every \
      connection takes a descriptor here and in the server: see `ulimit -n`. Exits with 1 when an expectation is missed.
      """
  )

  @Option(help: "The URL of the server.")
  var url = "ws://127.0.0.1:8080/v1/play"

  @Option(help: "The number of connections.")
  package var connections = 1_000

  @Option(help: "The number of them that sit in rooms and move.")
  package var inRooms = 0

  @Option(help: "The number of players in one room, 1 to 200.")
  var players = 25

  @Option(help: "Positions a second from each who sits in a room, 1 to 19.")
  var rate = 1

  @Option(help: "Seconds that they are held after all are ready, 2 to 6600.")
  package var seconds = 60

  @Option(help: "The number of connections begun in a second.")
  package var connectsPerSecond = 1_000

  @Option(help: "json or proto; json offers compression, as browsers do.")
  var subprotocol = "proto"

  @Option(help: "A PEM file with the certificates to trust, for wss:// (default: those that the system trusts).")
  var tlsCA: String?

  @Option(help: "The server's process, to watch its memory.")
  var serverPID: Int32?

  @Option(help: "Fail when there are more errors, refusals and disconnects than this.")
  var expectErrors: Int?

  @Option(
    help: """
      Fail when the server's memory grew by more than this after the first minute, with --seconds below 120 after the \
      first half; bytes.
      """
  )
  package var expectGrowthBytes: Int64?

  @Option(help: "Fail when a connection takes more of the server's memory than this, in the middle; bytes.")
  package var expectBytesPerConnection: Int64?

  package init() {}

  package func validate() throws {
    guard connections >= 1 else { throw ValidationError("--connections must be 1 or more.") }
    guard (0...connections).contains(inRooms) else { throw ValidationError("--in-rooms must be 0 to --connections.") }
    guard (1...200).contains(players) else { throw ValidationError("--players must be 1 to 200.") }
    guard (1...19).contains(rate) else { throw ValidationError("--rate must be 1 to 19.") }
    guard (2...6_600).contains(seconds) else { throw ValidationError("--seconds must be 2 to 6600.") }
    guard (1...1_000_000).contains(connectsPerSecond) else {
      throw ValidationError("--connects-per-second must be 1 to 1000000.")
    }
    guard gameSeconds <= 7_200 else {
      throw ValidationError("Connecting and holding take longer than a game can last, 7200 s.")
    }
    guard Subprotocol(flag: subprotocol) != nil else { throw ValidationError("--subprotocol is json or proto.") }
    guard expectGrowthBytes == nil && expectBytesPerConnection == nil || serverPID != nil else {
      throw ValidationError("Expectations of memory need --server-pid.")
    }
  }

  private var pace: ConnectPace { ConnectPace(connections: connections, perSecond: connectsPerSecond) }

  /// The length of a game: rooms that fill first must last to the end.
  private var gameSeconds: Int { max(10, pace.seconds + HoldPlan.readySecondsMax + seconds + 10) }

  package func run() async throws {
    let group = try HoldGroup(try plan())
    let server = serverPID.map(ServerProcess.init)
    let bytesBefore = server?.memoryBytes
    report("before the first connection", memory: bytesBefore)
    group.start()
    let missing = await group.awaitReady()
    let bytesReady = server?.memoryBytes
    report("all ready but \(missing)", memory: bytesReady)
    var bytesPerConnection: Int64?
    if let bytesBefore, let bytesReady {
      let bytes = (bytesReady - bytesBefore) / Int64(connections)
      print("memory              \(bytes) bytes for each connection")
      bytesPerConnection = bytes
    }
    let growth = try await hold(server)
    let results = await group.results()
    await group.stop()
    for line in results.lines { print(line) }
    if let bytesPerConnection, let expectBytesPerConnection, bytesPerConnection > expectBytesPerConnection {
      print("missed: \(bytesPerConnection) bytes for each connection, at most \(expectBytesPerConnection) expected")
      throw ExitCode(1)
    }
    try check(results, missing: missing, growth)
  }

  private func plan() throws -> HoldPlan {
    HoldPlan(
      target: try ServerTarget(url: url, trusting: tlsCA, subprotocol: Subprotocol(flag: subprotocol) ?? .proto),
      runID: .random(in: .min ... .max),
      connections: connections,
      inRooms: inRooms,
      players: players,
      stepMicroseconds: 1_000_000 / Int64(rate),
      pace: pace,
      gameSeconds: gameSeconds
    )
  }

  /// Waits, measuring once a second.
  private func hold(_ server: ServerProcess?) async throws -> MemoryGrowth {
    var growth = MemoryGrowth(heldSeconds: seconds)
    let begin = ContinuousClock.now
    for second in 1...seconds {
      try await Task.sleep(until: begin + .seconds(second), clock: .continuous)
      guard let bytes = server?.memoryBytes else { continue }
      growth.note(bytes: bytes, atSecond: second)
      if second % 60 == 0 || second == seconds { report("after \(second) s", memory: bytes) }
    }
    return growth
  }

  private func report(_ when: String, memory: Int64?) {
    print("memory              \(memory.map { "\($0 / 1_024) KiB" } ?? "not known") \(when)")
    // A run of hours can be watched through a pipe.
    fflush(nil)
  }

  private func check(_ results: HoldResults, missing: Int, _ growth: MemoryGrowth) throws {
    var misses: [String] = []
    if missing > 0 { misses.append("\(missing) connections were never ready") }
    if let expectErrors, results.errorCount > expectErrors {
      misses.append("\(results.errorCount) errors, at most \(expectErrors) expected")
    }
    if let expectGrowthBytes {
      if let bytes = growth.bytes, bytes <= expectGrowthBytes {
        print("memory              grew by \(bytes) bytes after \(growth.warmupSeconds) s")
      } else {
        let grown = growth.bytes.map { "grew by \($0) bytes" } ?? "is not known"
        misses.append("the server's memory \(grown), at most \(expectGrowthBytes) expected")
      }
    }
    guard !misses.isEmpty else { return }
    for miss in misses { print("missed: \(miss)") }
    throw ExitCode(1)
  }
}
