// The destination of a connection that moves to another shard.
//
// Made and used on the old shard's queue.

/// An object, so that connections that stay don't pay for it.
package final class Departure {
  /// Hands the peer over to the new shard.
  let deliver: (ConnectedPeer) -> Void

  package init(_ deliver: @escaping (ConnectedPeer) -> Void) {
    self.deliver = deliver
  }
}
