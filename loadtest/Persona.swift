// The character of a bot: its way, and its expectations of the server.
//
// A persona belongs to one bot, on that bot's shard.
import ArgumentParser
import MadangProtocol

protocol Persona: AnyObject {
  /// The name in the report's boards.
  var name: String { get }
  /// Whether it waits for no message that a lost connection would lose.
  var isQuiet: Bool { get }
  /// Whether it has asked for an answer that comes after the end of the game.
  var awaitsAnswer: Bool { get }
  /// Whether it calculates the points of footprint mode.
  var calculatesPoints: Bool { get }
  /// The points of footprint mode for the way so far; nil where a few millimetres decide about one of them, and for a
  /// persona that does not calculate them.
  var expectedPoints: UInt32? { get }
  /// The expectations that it should have been able to check by the end of a long enough game.
  var expectations: [Expectation] { get }

  /// The fix to send now, `seconds` after the start; nil for none.
  func step(at seconds: Double) -> WireMove?
  /// Whether it looks at the rows of ticks.
  var readsTicks: Bool { get }
  /// A tick has come; the room has noted it already. Where `readsTicks` is false it may be left out.
  func receive(_ tick: WireTick)
  /// A message for this player alone, or an answer to its request.
  func receive(_ notification: WireServerMessage.OneOf_Body)
  /// An event reports a land that the bot has captured.
  func captured(_ capture: WireLandCapture)
  /// The connection was lost and is back.
  func resumed(_ room: WireRoom)
  /// The game is over.
  func ended(_ board: [WireBoardRow])
}

extension Persona {
  var isQuiet: Bool { true }
  var awaitsAnswer: Bool { false }
  var calculatesPoints: Bool { false }
  var expectedPoints: UInt32? { nil }
  var expectations: [Expectation] { [.believed] }
  var readsTicks: Bool { false }
  func receive(_ tick: WireTick) {}
  func receive(_ notification: WireServerMessage.OneOf_Body) {}
  func captured(_ capture: WireLandCapture) {}
  func resumed(_ room: WireRoom) {}
  func ended(_ board: [WireBoardRow]) {}
}

/// The personas by the names that `--bots` takes.
package enum PersonaKind: String, CaseIterable, ExpressibleByArgument, Sendable {
  case walker, looper, thief, lapper, quitter
  case teleporter, speeder, frozen, mocker

  /// The way of cheating; nil for the honest, who play their room's mode.
  var cheat: Cheat? {
    switch self {
    case .teleporter: .teleport
    case .speeder: .tooFast
    case .frozen: .frozenClock
    case .mocker: .mocked
    case .walker, .looper, .thief, .lapper, .quitter: nil
    }
  }

  /// The modes in which it has something to do.
  var modes: [WalkMode] {
    switch self {
    case .looper, .thief: [.territory]
    case .lapper, .quitter: [.land]
    case .walker, .teleporter, .speeder, .frozen, .mocker: WalkMode.allCases
    }
  }
}

/// The game, by the words that `--mode` takes.
package enum WalkMode: String, CaseIterable, ExpressibleByArgument, Sendable {
  case footprint, land, territory

  var wire: WireMode {
    switch self {
    case .footprint: .footprint
    case .land: .land
    case .territory: .territory
    }
  }

  /// The players when none are named.
  var bots: [PersonaKind] {
    switch self {
    case .footprint: [.walker]
    case .land: [.lapper, .quitter]
    case .territory: [.looper, .thief]
    }
  }

  /// The persona of a spoofer before it cheats.
  var honest: PersonaKind { bots[0] }
}
