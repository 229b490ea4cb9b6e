// A connection's request, with the client's number and the asker, so that its handler can answer it. A value of the
// connection's shard.
import Game
import MadangProtocol

package struct Request<Asker: Sendable> {
  /// The client's number of the request, which the answer repeats; nil where the client gave none.
  package let id: UInt32?
  package let session: Session
  /// The asker, as known when the request came.
  package let asker: Asker

  package init(id: UInt32?, session: Session, asker: Asker) {
    self.id = id
    self.session = session
    self.asker = asker
  }
}

/// Any connection, with or without a known player.
package struct Anyone: Sendable {}

package typealias OpenRequest = Request<Anyone>
package typealias PlayerRequest = Request<Identity>

extension PlayerRequest {
  package var player: PlayerID { asker.player }
}

extension Request {
  package func reply(_ body: WireServerMessage.OneOf_Body) {
    session.reply(to: id, body)
  }

  /// Answers when everything in the answer is committed, then calls `action`. With `isState`, the client depends on the
  /// answer: see `hold`.
  package func reply(
    _ body: WireServerMessage.OneOf_Body,
    after journal: ShardJournal,
    isState: Bool = false,
    _ action: (() -> Void)? = nil
  ) {
    session.reply(to: id, body, after: journal, isState: isState, action)
  }

  /// Refuses the request; `text` tells the client's developer the fault.
  package func refuse(_ code: WireErrorCode, _ text: String? = nil, retryAfterMs: UInt32? = nil) {
    session.refuse(id, code, text, retryAfterMs: retryAfterMs)
  }

  /// Refuses the request because nothing durable can be promised now.
  package func refuseForStore() {
    session.refuseForStore(id)
  }
}
