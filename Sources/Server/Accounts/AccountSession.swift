// The accounts' part of a session: work that the connection waits for, and tokens that were refused.
//
// Owned by the session's shard. It stays behind when the connection moves, for a connection that waits never moves.
import Gateway

final class AccountSession: SessionPart {
  static var slot: Int { SessionSlot.accountSession.rawValue }

  /// The tokens that were no session's, or came too often.
  var refusedTokenCount: UInt8 = 0
  /// The connection is suspended until a password has been hashed or checked.
  var awaitsPassword = false
  /// Set while the player, who is deleted, waits for the store to erase what is left.
  var erasure: AwaitedErasure?
  /// Set when the connection ends, or when the peer goes while it waits: work on other threads would be for nobody.
  let cancellation = HashingQueue.Cancellation()

  var cargo: (any SessionCargo)? { nil }
}

/// A deletion whose request is not answered yet.
struct AwaitedErasure {
  let requestID: UInt32?
}
