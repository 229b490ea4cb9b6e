// What a bot is like: where it goes, and what it holds the server to.
//
// A persona belongs to one bot, on that bot's shard.
import ArgumentParser
import MadangProtocol

protocol Persona: AnyObject {
  /// As the report's boards call it.
  var name: String { get }
  /// Waits for no news that would be lost with the connection.
  var isQuiet: Bool { get }
  /// Has asked for something that comes after the end of the game.
  var awaitsAnswer: Bool { get }
  /// What footprint mode should give for the way so far; nil where the persona doesn't reckon it.
  var expectedPoints: UInt32? { get }
  /// What it should have had occasion to hold the server to, by the end of a long enough game.
  var expectations: [Expectation] { get }

  /// The fix to send now, `seconds` after the start; nil for none.
  func step(at seconds: Double) -> WireMove?
  /// A tick has come; the room has taken note of it already.
  func receive(_ tick: WireTick)
  /// News for this player alone, or an answer that it has asked for.
  func receive(_ news: WireServerMessage.OneOf_Body)
  /// An event tells of a land that the bot has captured.
  func captured(_ capture: WireLandCapture)
  /// The connection was lost and is there again.
  func resumed(_ room: WireRoom)
  /// The game is over.
  func ended(_ board: [WireBoardRow])
}

extension Persona {
  var isQuiet: Bool { true }
  var awaitsAnswer: Bool { false }
  var expectedPoints: UInt32? { nil }
  var expectations: [Expectation] { [.believed] }
  func receive(_ tick: WireTick) {}
  func receive(_ news: WireServerMessage.OneOf_Body) {}
  func captured(_ capture: WireLandCapture) {}
  func resumed(_ room: WireRoom) {}
  func ended(_ board: [WireBoardRow]) {}
}

/// The personas by the names that `--bots` takes.
package enum PersonaKind: String, CaseIterable, ExpressibleByArgument, Sendable {
  case walker, looper, thief, lapper, quitter
  case teleporter, speeder, frozen, mocker

  /// What cheats instead of going on as its room's mode would have it; nil for the honest.
  var cheat: Cheat? {
    switch self {
    case .teleporter: .teleport
    case .speeder: .tooFast
    case .frozen: .frozenClock
    case .mocker: .mocked
    case .walker, .looper, .thief, .lapper, .quitter: nil
    }
  }

  /// The modes that it has something to do in.
  var modes: [WalkMode] {
    switch self {
    case .looper, .thief: [.territory]
    case .lapper, .quitter: [.land]
    case .walker, .teleporter, .speeder, .frozen, .mocker: WalkMode.allCases
    }
  }
}

/// What is played, by the words that `--mode` takes.
package enum WalkMode: String, CaseIterable, ExpressibleByArgument, Sendable {
  case footprint, land, territory

  var wire: WireMode {
    switch self {
    case .footprint: .footprint
    case .land: .land
    case .territory: .territory
    }
  }

  /// Who plays when nobody is named.
  var bots: [PersonaKind] {
    switch self {
    case .footprint: [.walker]
    case .land: [.lapper, .quitter]
    case .territory: [.looper, .thief]
    }
  }

  /// Who a spoofer is before it cheats.
  var honest: PersonaKind { bots[0] }
}
