// The referee of hosts' acts on players: what players are answered and told, each checked against the room's events.
// A value that looks at the world. EntryReferee.swift has that of who comes into a room.
import MadangProtocol

struct HostReferee {
  private unowned let world: World

  init(_ world: World) {
    self.world = world
  }

  /// The errors by which a request may be refused because of a host.
  func refusals(of request: PlayerRequest) -> [WireErrorCode] {
    guard world.plan.hostsAct else { return [] }
    switch request {
    case .joinRoom: return [.barred, .roomLocked]
    case .leaveRoom, .startGame, .playAgain, .kickPlayer, .lockRoom, .move, .chat, .readChat, .setPace:
      return [.notInRoom]
    default: return []
    }
  }

  /// Whether the host of a room has removed a player.
  func hasRemoved(_ player: Player, from code: String) -> Bool {
    world.ledger.hasKicked(player.playerID ?? "", from: code)
  }

  /// Checks an act that the server has acknowledged to a host.
  func check(_ request: PlayerRequest, by host: Player) throws(BrokenRule) {
    guard case .kickPlayer(let player, let after) = request else { return world.report.locks += 1 }
    world.report.kicks += 1
    let code = host.copy?.code ?? ""
    let isWritten = world.ledger.hasKicked(player, from: code) && world.ledger.hasWrittenKick(from: code, after: after)
    try BrokenRule.unless(isWritten, .writtenFirst, "\(player) is removed from \(code), and not in the store")
  }

  /// Checks that a player who is told of their removal is removed, also in the store.
  func take(_ kicked: WireKicked, by player: Player) throws(BrokenRule) {
    let isOwn = player.copy?.code == kicked.code && hasRemoved(player, from: kicked.code)
    try BrokenRule.unless(isOwn, .onlyOwn, "player \(player.number) was told of a removal from \(kicked.code)")
    let isIn = world.written.has(player.playerID ?? "", in: kicked.code)
    try BrokenRule.unless(!isIn, .writtenFirst, "player \(player.number) is removed, and still in \(kicked.code)")
    world.report.kicksTold += 1
    player.copy = nil
  }
}
