// An answer whose body follows in pieces, each when the one before has left: a long body is never in memory as a whole.
//
// Owned by one connection, in its state, and used on its shard's queue.
import WebSocket

/// The service's part of an answer in pieces. Calls come on the shard's queue; it ends with its last reference.
package protocol AnswerSource: AnyObject {
  /// Asks for the next bytes, exactly `count`. `BodyExchange.goOn` gives them in a later step of the shard.
  func read(_ count: Int)
}

/// A body that leaves.
package final class AnswerStream {
  let head: RequestHead
  let source: any AnswerSource
  /// Whether the connection goes on behind it.
  let keepsAlive: Bool
  /// The bytes that the source has not given yet.
  var left: Int
  /// The source has been asked for a piece.
  var isAwaited = false
  package internal(set) var hasPeerEnded: Bool

  package init(_ head: RequestHead, _ source: any AnswerSource, byteCount: Int, keepsAlive: Bool, hasPeerEnded: Bool) {
    self.head = head
    self.source = source
    self.keepsAlive = keepsAlive
    self.hasPeerEnded = hasPeerEnded
    left = byteCount
  }
}
