// `madang-bench instructions`: does one thing a fixed number of times, for callgrind to count the server's
// instructions.
//
// On the program's first thread, without further threads, a clock, or random numbers that differ from run to run.
// InstructionsServer.countedTurn is counted; scripts/instructions runs this twice and takes the difference.
import ArgumentParser
import MadangProtocol
import Net
import WebSocket

struct Instructions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instructions",
    abstract: "Do a fixed number of one thing, to be run under callgrind by scripts/instructions.",
    discussion: "Prints the number done: at least as many as asked for, always the same number for the same options."
  )

  enum Work: String, ExpressibleByArgument, CaseIterable {
    /// Moves, each read and judged in a room of 4.
    case move
    /// Messages of 60 late fixes, each read and judged in a room of 4.
    case moves
    /// Frames that ticks deliver to rooms of 25.
    case frame
    /// Positions from the message to the ticks that carry them, in rooms of 4.
    case position
    /// Messages of 64 bytes that are sent back.
    case echo
    /// Pings of idle connections, each with the pong that comes back.
    case ping
  }

  @Argument(help: "move, moves, frame, position, echo or ping.")
  var work: Work

  @Option(help: "The least number of them.")
  var count = 10_000

  @Flag(help: "Moves and frames in the binary encoding, not in JSON.")
  var binary = false

  @Flag(help: "Prints the CPU time of one in nanoseconds too, the system's part included; without callgrind.")
  var time = false

  private var subprotocol: Subprotocol { binary ? .proto : .json }

  func validate() throws {
    guard (1...1_000_000).contains(count) else { throw ValidationError("--count is 1 to 1000000.") }
  }

  func run() throws {
    let server = try InstructionsServer()
    defer { server.end() }
    let done =
      switch work {
      case .move: try move(on: server)
      case .moves: try moves(on: server)
      case .frame: try frames(from: server)
      case .position: try positions(on: server)
      case .echo: try echo(by: server)
      case .ping: try pings(from: server)
      }
    print(time ? "\(done) \(server.countedNs / Int64(done))" : "\(done)")
  }

  // Works. Each returns the number of things counted.

  /// All players' moves of a second arrive at one moment, at which no tick is due.
  private func move(on server: InstructionsServer) throws -> Int {
    let game = try InstructionsGame(rooms: 10, players: 4, subprotocol, on: server)
    var counted = 0
    while counted < count {
      // The second's ticks, and the effects of timers.
      for _ in 0..<10 { try game.passTick() }
      try server.rest()
      for player in game.players { try game.move(player) }
      try server.restCounted()
      counted += game.players.count
    }
    try game.check()
    return counted
  }

  /// All players' fixes of a minute arrive at one moment, at which no tick is due.
  private func moves(on server: InstructionsServer) throws -> Int {
    let game = try InstructionsGame(rooms: 10, players: 4, subprotocol, on: server)
    var counted = 0
    while counted < count {
      for _ in 0..<InstructionsGame.lateFixes { try game.passSecond() }
      for player in game.players { try game.tellMinute(player) }
      try server.restCounted()
      for player in game.players { try game.checkMinute(player) }
      counted += game.players.count
    }
    return counted
  }

  /// A tenth of the players moves before each tick. The first tick of each second is not counted: pings, the store's
  /// maintenance and other work of full seconds fall into it. A room whose tick is due between two steps reports both
  /// at once, so fewer frames come than there are steps.
  private func frames(from server: InstructionsServer) throws -> Int {
    let game = try InstructionsGame(rooms: 4, players: 25, subprotocol, on: server)
    var counted = 0
    while counted < count {
      for step in 0..<InstructionsGame.ticksPerSecond {
        for player in game.players where player.number % InstructionsGame.ticksPerSecond == step {
          try game.move(player)
        }
        try server.rest()
        _ = try game.takeFrames()
        server.advance(milliseconds: InstructionsGame.tickMs)
        if step == 0 { try server.rest() } else { try server.restCounted() }
        let frames = try game.takeFrames()
        if step > 0 { counted += frames }
      }
    }
    try game.check()
    return counted
  }

  /// A tenth of the players moves before each tick: everything is counted, from the message to the frames for all four
  /// players of its room, but for the first tick of each second, as in `frames`.
  private func positions(on server: InstructionsServer) throws -> Int {
    let game = try InstructionsGame(rooms: 10, players: 4, subprotocol, on: server)
    var counted = 0
    while counted < count {
      for step in 0..<InstructionsGame.ticksPerSecond {
        let movers = game.players.filter { $0.number % InstructionsGame.ticksPerSecond == step }
        for player in movers { try game.move(player) }
        if step == 0 { try server.rest() } else { try server.restCounted() }
        server.advance(milliseconds: InstructionsGame.tickMs)
        if step == 0 { try server.rest() } else { try server.restCounted() }
        _ = try game.takeFrames()
        if step > 0 { counted += movers.count }
      }
    }
    try game.check()
    return counted
  }

  /// Every connection has a message in each step.
  private func echo(by server: InstructionsServer) throws -> Int {
    let peers = try (0..<50).map { try InstructionsPeer($0, path: "/echo", nil, to: server) }
    let payload = (0..<64).map { UInt8($0) }
    var counted = 0
    while counted < count {
      server.advance(milliseconds: 3)
      try server.rest()
      for peer in peers { try peer.send(.binary, payload) }
      try server.restCounted()
      for peer in peers {
        guard try peer.takeMessages({ _ in }) == 1 else { throw BenchFailure(description: "no echo") }
      }
      counted += peers.count
    }
    return counted
  }

  /// All connections were heard last at one moment, so their pings leave together. Other timers of the time before have
  /// fired by then.
  private func pings(from server: InstructionsServer) throws -> Int {
    let peers = try (0..<100).map { try InstructionsPeer($0, path: "/echo", nil, to: server) }
    var counted = 0
    while counted < count {
      // A message of each, so that all have been heard at this moment.
      for peer in peers { try peer.send(.binary, [1]) }
      try server.rest()
      for peer in peers { _ = try peer.takeMessages { _ in } }
      server.advance(milliseconds: Self.pingMs - 20)
      try server.rest()
      for peer in peers where try peer.takePings() > 0 { throw BenchFailure(description: "an early ping") }
      server.advance(milliseconds: 40)
      try server.restCounted()
      for peer in peers {
        guard try peer.takePings() == 1 else { throw BenchFailure(description: "no ping") }
      }
      try server.restCounted()
      counted += peers.count
    }
    return counted
  }

  private static let pingMs = NetLimits().pingIntervalSeconds * 1_000
}
