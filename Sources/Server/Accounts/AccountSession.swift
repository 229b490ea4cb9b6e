// The accounts' part of a session: work that the connection waits for, and refused tokens.
//
// Owned by the session's shard. It stays behind when the connection moves: a waiting connection never moves.
import Gateway

final class AccountSession: SessionPart {
  static let slot = Session.takeSlot()

  /// The number of tokens that were no session's, or came too often.
  var refusedTokenCount: UInt8 = 0
  /// The connection is suspended until a password has been hashed or checked.
  var awaitsPassword = false
  /// Set while a deleted player waits for the store to erase the rest.
  var erasure: AwaitedErasure?
  /// Set when the connection ends, or when the peer goes while it waits: nobody needs the work on other threads then.
  let cancellation = HashingQueue.Cancellation()

  var cargo: (any SessionCargo)? { nil }
}

/// A deletion whose request is not answered yet.
struct AwaitedErasure {
  let requestID: UInt32?
}
