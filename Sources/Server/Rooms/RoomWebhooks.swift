// The events of a room for webhooks: ends of games, and suspicions that begin and end.
//
// Part of `LiveRoom`, on its shard. Each event goes with the commit of what it tells of.
import Game
import Gateway
import Store

extension LiveRoom {
  /// Tells of the end of a game.
  func noteEnd(_ game: GameRow, _ board: [BoardRow]) {
    guard context.webhooks.wants(.gameEnded) else { return }
    let event = WebhookEvent.gameEnded(context.webhooks.eventNumber, game, board, at: context.now)
    context.webhooks.add(event, of: board.map(\.id))
  }

  /// The suspect players in seats.
  var suspectMembers: Set<PlayerID> {
    let room = room
    return Set(
      room.members.compactMap { member in
        guard case .seat(let seat) = member.place, room.isSuspect(seat: seat) else { return nil }
        return member.id
      }
    )
  }

  /// Tells of a suspicion if it has begun or ended with a verdict.
  func noteSuspicion(of place: Place, _ isSuspect: Bool) {
    guard isSuspect || !suspects.isEmpty, let player = room.member(at: place)?.id else { return }
    if !isSuspect { return endSuspicion(of: player) }
    if suspects.insert(player).inserted { tell(player, isSuspect: true) }
  }

  /// Tells that a player is suspect no more, or has left. Does nothing for others.
  func endSuspicion(of player: PlayerID) {
    if suspects.remove(player) != nil { tell(player, isSuspect: false) }
  }

  private func tell(_ player: PlayerID, isSuspect: Bool) {
    let webhooks = context.webhooks
    guard webhooks.wants(.suspect) else { return }
    _ = webhooks.offer(.suspect(webhooks.eventNumber, player, isSuspect, in: id, at: context.now))
  }
}
