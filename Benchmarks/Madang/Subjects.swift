// Options of all measuring commands: the servers, the loads, the bounds.
import ArgumentParser
import Glibc

struct Subjects: ParsableArguments {
  @Option(help: "The peer's program, started with --port 0.")
  var peer: String?

  @Option(help: "Connections of the echo work.")
  var connections = 50

  @Option(help: "Bytes of an echoed message, 8 or more.")
  var bytes = 64

  @Option(help: "Messages a second of the echo work in all, so that both servers do the same work.")
  var rate = 20_000.0

  @Flag(help: "Echo work in a closed loop instead: each connection has one message in flight.")
  var closed = false

  @Option(help: "Rooms of the tick work.")
  var rooms = 40

  @Option(help: "Players in each room.")
  var players = 25

  @Option(help: "Positions a second from each player.")
  var hz = 10.0

  @Option(help: "A file of bounds; exceeding any ends with status 1.")
  var thresholds: String?

  func validate() throws {
    guard connections > 0, rooms > 0, players > 0, rate > 0, hz > 0 else {
      throw ValidationError("Connections, rooms, players and rates must be over 0.")
    }
    guard (8...BenchService.messageBytesMax).contains(bytes) else { throw ValidationError("--bytes is out of range.") }
  }

  struct Server {
    let name: String
    let command: [String]
    let isOurs: Bool
  }

  /// The measured servers: ours, then the peer if one was named.
  var servers: [Server] {
    let ours = Server(name: "madang", command: Self.ours(shards: 1), isOurs: true)
    guard let peer else { return [ours] }
    return [ours, Server(name: "peer", command: [peer, "--port", "0"], isOurs: false)]
  }

  /// The command that runs this program as the server.
  static func ours(shards: Int) -> [String] {
    ["/proc/\(getpid())/exe", "serve", "--shards", "\(shards)"]
  }

  /// The work of this name, with the values of the options.
  func plan(_ work: String, warmUp: Double, seconds: Double) -> LoadPlan {
    let isEcho = work == LoadPlan.echoName
    return LoadPlan(
      work: isEcho ? .echo(connections: connections, bytes: bytes) : .tick(rooms: rooms, players: players),
      messagesPerSecond: isEcho ? (closed ? nil : rate) : Double(rooms * players) * hz,
      warmUpSeconds: warmUp,
      seconds: seconds
    )
  }

  /// Both ends of every connection of the largest load lie in this process or in a child, which gets the same bound.
  static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Ends with status 1 when a bound was missed.
  static func conclude(_ thresholds: Thresholds) throws {
    for miss in thresholds.misses { print("MISSED: \(miss)") }
    if !thresholds.misses.isEmpty { throw ExitCode(1) }
  }
}
