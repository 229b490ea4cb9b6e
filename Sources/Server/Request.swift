// The type of a request names its asker, so no handler that needs a player is reached without one.
//
// A value, on the shard's thread. `PlayService.dispatch` makes one for each message.
import Game
import MadangProtocol

/// A request of a connection.
struct Request<Asker: Sendable> {
  /// The client's number of the request, which the answer repeats; nil where the client gave none.
  let id: UInt32?
  let session: PlaySession
  /// The asker, as known when the request came.
  let asker: Asker
}

/// Any connection, with or without a known player.
struct Anyone: Sendable {}

typealias OpenRequest = Request<Anyone>
typealias PlayerRequest = Request<Identity>

extension PlayerRequest {
  var player: PlayerID { asker.player }
}

extension Request {
  func reply(_ body: WireServerMessage.OneOf_Body) {
    session.reply(to: id, body)
  }

  /// Answers when all that the answer tells of is committed, then calls `action`.
  func reply(_ body: WireServerMessage.OneOf_Body, after journal: ShardJournal, _ action: (() -> Void)? = nil) {
    session.reply(to: id, body, after: journal, action)
  }

  /// Answers that the request is refused; `text` tells the client's developer the fault.
  func refuse(_ code: WireErrorCode, _ text: String? = nil, retryAfterMs: UInt32? = nil) {
    session.refuse(id, code, text, retryAfterMs: retryAfterMs)
  }

  func refuse(_ refusal: Refusal) {
    session.refuse(id, refusal)
  }

  func refuseForStore() {
    session.refuseForStore(id)
  }
}
