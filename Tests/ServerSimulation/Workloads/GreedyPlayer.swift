// A player who uses everything that is allowed: comes and goes without a pause, makes rooms, starts games, sends the
// longest texts, and ends the connection to come back at once.
import MadangProtocol
import Net
import SeededRandom

struct GreedyPlayer: Workload {
  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64

  /// One character of 1,399 bytes.
  private static let longCharacter = "e" + String(repeating: "\u{301}", count: 699)

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    self.plan = plan
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: 60)
    guard let player = world.players.first, player.state == .ready, !player.isDeciding else { return }
    let others = world.players.dropFirst().compactMap(\.copy?.code).filter { $0 != player.copy?.code }
    guard let copy = player.copy else {
      if !others.isEmpty { enter(random.pick(others), player, at: now) }
      return
    }
    switch random.draw(1...20) {
    case 1...8:
      player.ask(.leaveRoom(.init()), .leaveRoom, at: now)
      if !others.isEmpty { enter(random.pick(others), player, at: now) }
    case 9...11:
      player.ask(.leaveRoom(.init()), .leaveRoom, at: now)
      player.ask(.createRoom(Gathering.room(plan, &random)), .createRoom, at: now)
    case 12...13:
      guard let link = player.link else { return }
      world.network.cut(link, .closed, at: now)
    case 14...15 where copy.phase == .lobby:
      player.ask(.startGame(.init()), .startGame(after: copy.lastEvent), at: now)
    case 14...15 where copy.phase == .ended:
      player.ask(.playAgain(.init()), .playAgain(after: copy.lastEvent), at: now)
    default:
      var chat = WireChatRequest()
      chat.text = player.makeChat() + Self.longCharacter
      player.ask(.chat(chat), .chat(chat.text), at: now)
    }
  }

  private func enter(_ code: String, _ player: Player, at now: Timestamp) {
    var join = WireJoinRoom()
    join.code = code
    player.ask(.joinRoom(join), .joinRoom, at: now)
  }
}
