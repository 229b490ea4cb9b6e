// The accounts' part of a session: the player's e-mail and device, work that the connection waits for, and refused
// tokens.
//
// Owned by the session's shard. E-mail and device travel with the connection. The rest stays behind: a waiting
// connection never moves, and a connection with a player has no more tokens judged.
import Gateway
import Store

final class AccountSession: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let email: String?
    let device: [UInt8]?

    func unpacked(for session: Session) -> any SessionPart {
      let part = AccountSession()
      part.email = email
      part.device = device
      return part
    }
  }

  /// The player's e-mail; nil for a guest.
  var email: String?
  /// The digest of the device secret that began the session; nil where a login did.
  var device: [UInt8]?
  /// The number of tokens that were no session's, or came too often.
  var refusedTokenCount: UInt8 = 0
  /// The connection is suspended until a password has been hashed or checked.
  var awaitsPassword = false
  /// Set while a deleted player waits for the store to erase the rest.
  var erasure: AwaitedErasure?
  /// Made with the session's first password. Cancelled when the connection ends, or the peer goes, while it waits:
  /// nobody needs the work on other threads then.
  private(set) lazy var cancellation = HashingQueue.Cancellation()

  var cargo: (any SessionCargo)? { email != nil || device != nil ? Cargo(email: email, device: device) : nil }

  /// Cancels the work on the password that the connection waits for.
  func cancelPassword() {
    guard awaitsPassword else { return }
    awaitsPassword = false
    cancellation.cancel()
  }
}

/// A deletion whose request is not answered yet.
struct AwaitedErasure {
  let requestID: UInt32?
}

extension Session {
  /// Takes over e-mail and device as the store has them of the session's player.
  func takeEmailAndDevice(of player: PlayerRow) {
    guard player.email != nil || player.device != nil else { return }
    let part = part(orAdd: AccountSession())
    part.email = player.email
    part.device = player.device
  }

  /// The player's e-mail, updated with the player's own change; nil for a guest.
  var email: String? {
    get { part(AccountSession.self)?.email }
    set { part(orAdd: AccountSession()).email = newValue }
  }

  /// The digest of the device secret that began the session; nil where a login did.
  var device: [UInt8]? { part(AccountSession.self)?.device }
}
