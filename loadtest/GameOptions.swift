// The game of a walk and its players: that part of the command line.
//
// A value.
import ArgumentParser
import MadangProtocol

package struct GameOptions: ParsableArguments {
  @Option(help: "The mode: footprint, territory or land.")
  package var mode = WalkMode.footprint

  @Option(
    parsing: .upToNextOption,
    help: "The kinds of bots, see above (default: walker, looper thief, or lapper quitter)."
  )
  package var bots: [String] = []

  @Option(help: "The number of rooms.")
  package var rooms = 1

  @Option(help: "The number of players in each, 1 (a solo room, without --fill) to 200.")
  package var players = 4

  @Option(help: "Practice opponents in each room besides, for which the server walks; 0 to 10.")
  package var fill = 0

  @Option(help: "Positions a second from each player, 1 to 19.")
  package var rate = 1

  @Option(help: "Ticks a second, 1 to 20 (default: as many as positions, but at least the server's own).")
  package var tickHz: Int?

  /// The ticks a second of a server without a setting.
  static let tickHzOfServer = 2

  @Option(help: "Seconds of each game, 10 to 7200.")
  package var seconds = 60

  @Option(
    help: "Metres a second of all but walkers, to 40. Rooms take twice that as the fastest there is, 12.5 at least."
  )
  package var pace = 6.0

  @Option(help: "TERRITORY: the side of a cell, 5 to 50 m.")
  package var cellM = 10

  @Option(help: "TERRITORY: cells to a side of the arena, 20 to 400.")
  package var cells = 100

  @Flag(help: "TERRITORY: opponents who cross an open path cut it.")
  package var cutting = false

  @Option(name: .customLong("lands"), help: "LAND: the ids of the rooms' lands, with commas between.")
  package var lands = ""

  @Option(help: "Seconds between the times that a bot of each room drops its connection and resumes; 0 for never.")
  package var resumeEvery: Int?

  @Flag(help: "Bots send positions alone while they play: no chat, and nothing that is timed.")
  package var silent = false

  package init() {}

  package var landIDs: [String] { lands.split(separator: ",").map(String.init) }

  package var resumeSeconds: Int? {
    let seconds = resumeEvery ?? (mode == .footprint ? 0 : 15)
    return seconds == 0 ? nil : seconds
  }

  package var kinds: [PersonaKind] {
    let kinds = bots.flatMap { $0.split(separator: ",") }.compactMap { PersonaKind(rawValue: String($0)) }
    return kinds.isEmpty ? mode.bots : kinds
  }

  package func validate() throws {
    for name in bots.flatMap({ $0.split(separator: ",") }) {
      guard let kind = PersonaKind(rawValue: String(name)) else { throw ValidationError("There is no bot \(name).") }
      guard kind.modes.contains(mode) else { throw ValidationError("\(name) has nothing to do in \(mode) mode.") }
    }
    guard rooms >= 1 else { throw ValidationError("--rooms must be 1 or more.") }
    guard (1...200).contains(players) else { throw ValidationError("--players must be 1 to 200.") }
    guard (0...10).contains(fill) else { throw ValidationError("--fill must be 0 to 10.") }
    guard players + fill <= 200 else { throw ValidationError("--players and --fill must be at most 200 together.") }
    guard (1...19).contains(rate) else { throw ValidationError("--rate must be 1 to 19.") }
    guard tickHz.map((1...20).contains) ?? true else { throw ValidationError("--tick-hz must be 1 to 20.") }
    guard (10...7_200).contains(seconds) else { throw ValidationError("--seconds must be 10 to 7200.") }
    guard pace > 0, pace <= 40 else { throw ValidationError("--pace must be more than 0 and at most 40.") }
    guard (5...50).contains(cellM) else { throw ValidationError("--cell-m must be 5 to 50.") }
    guard (20...400).contains(cells) else { throw ValidationError("--cells must be 20 to 400.") }
    guard (resumeEvery ?? 0) >= 0 else { throw ValidationError("--resume-every must be 0 or more.") }
    guard landIDs.isEmpty == (mode != .land) else { throw ValidationError("--lands goes with --mode land.") }
    guard !cutting || mode == .territory else { throw ValidationError("--cutting goes with --mode territory.") }
    guard !cutting || fill == 0 else { throw ValidationError("--cutting goes without --fill.") }
  }
}

/// The address of the server, and the encoding to speak.
struct TargetOptions: ParsableArguments {
  @Option(help: "The URL of the server.")
  var url = "ws://127.0.0.1:8080/v1/play"

  @Option(help: "json or proto; json offers compression, as browsers do.")
  var subprotocol = "proto"

  @Option(help: "A PEM file with the certificates to trust, for wss:// (default: those that the system trusts).")
  var tlsCA: String?

  @Option(help: "The server's process, to report the CPU time that it takes meanwhile.")
  var serverPID: Int32?

  func validate() throws {
    guard Subprotocol(flag: subprotocol) != nil else { throw ValidationError("--subprotocol is json or proto.") }
  }

  func target() throws -> ServerTarget {
    try ServerTarget(url: url, trusting: tlsCA, subprotocol: Subprotocol(flag: subprotocol) ?? .proto)
  }
}
