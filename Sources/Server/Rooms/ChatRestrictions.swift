// The chats' part of a session: the player's mute, and the players whom they have blocked.
//
// Owned by the session's shard; both are as stored when the session began, updated with later changes. A player without
// either has no such part.
import Game
import Gateway
import Store

final class ChatRestrictions: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let mute: Mute?
    let blocked: Set<PlayerID>

    func unpacked(for session: Session) -> any SessionPart { ChatRestrictions(mute: mute, blocked: blocked) }
  }

  var mute: Mute?
  var blocked: Set<PlayerID>

  init(mute: Mute? = nil, blocked: Set<PlayerID> = []) {
    self.mute = mute
    self.blocked = blocked
  }

  var cargo: (any SessionCargo)? { Cargo(mute: mute, blocked: blocked) }
}

extension ShardGateway {
  /// Whether a player may write what others read. False, and the request is refused, while an operator's mute is in
  /// force.
  func allowsWriting(_ request: PlayerRequest) -> Bool {
    let expiry = context.expiry
    guard let mute = request.session.mute, mute.isInForce(at: expiry.now(now)) else { return true }
    request.refuse(.muted, retryAfterMs: mute.until.map { expiry.wait(until: $0, at: now) })
    return false
  }
}

extension Session {
  /// Takes over the restrictions that the store has of the session's player.
  func restrictChats(_ player: PlayerRow) {
    if let mute = player.mute { self.mute = mute }
    if !player.blocked.isEmpty { blocked = Set(player.blocked) }
  }

  /// The player's newest mute; it may be over.
  var mute: Mute? {
    get { part(ChatRestrictions.self)?.mute }
    set { part(orAdd: ChatRestrictions()).mute = newValue }
  }

  /// Players whose chats are withheld.
  var blocked: Set<PlayerID> {
    get { part(ChatRestrictions.self)?.blocked ?? [] }
    set { part(orAdd: ChatRestrictions()).blocked = newValue }
  }
}
