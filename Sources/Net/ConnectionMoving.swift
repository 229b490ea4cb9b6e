// The move of a connection between shards: its peer leaves one connection and gets a new one on the other shard.
//
// Only at a message boundary, from inside `ShardService.received` or on arrival, or while the connection is suspended.
// The old shard executes that message and none after it. One object travels, `ConnectedPeer`, with bytes received
// behind that message, unsent bytes, the decoder's state and deadlines. The service's own values go beside it, in the
// action on arrival. The old slot's generation goes up, so events and timers under way for it find nobody. The new
// shard calls the action first (a reply to the join goes before all else), then parses the bytes that travelled along,
// and only then asks the kernel for more.

extension Connection {
  /// Moves the connection to another shard after the current message, or at once when there is none. Then it is gone
  /// here. `arrived` is called on the other shard with the connection there, before the messages behind the move.
  package func move(to shard: Shard, _ arrived: @escaping @Sendable (ShardCore, Connection) -> Void) {
    precondition(shard.index != self.shard.index, "a connection moves only to another shard")
    lifecycle.depart(
      Departure { peer in
        // The old shard no longer uses it.
        nonisolated(unsafe) let peer = peer
        shard.post { $0.core.adopt(peer, arrived) }
      }
    )
    if !isConsuming { depart(unread: peer.held) }
  }

  /// Completes a move. If a send of the service failed before it decided to move, the connection has ended.
  func depart(unread: [UInt8]) {
    guard let departure = lifecycle.departed() else { return }
    leaveShard()
    owner.vacate(token)
    let peer = self.peer.handOver(shard.limits, at: shard.now)
    context = nil
    peer.held = unread
    peer.changeOutbound { $0.prepareToMove() }
    departure.deliver(peer)
  }
}

extension ShardCore {
  private func giveUp(_ peer: ConnectedPeer) {
    peer.changeOutbound { $0.endStall(budgets.unsent) }
    peer.transport.socket.close()
    if peer.role == .server { quota.release(peer.countedAddress) }
  }

  fileprivate func adopt(_ peer: ConnectedPeer, _ arrived: (ShardCore, Connection) -> Void) {
    guard !isStopped else { return giveUp(peer) }
    counters.connectionsAdopted += 1
    let connection = register(peer, .open)
    // The same bytes count in the budget, and the measurement of the peer's pace continues.
    connection.resumeSending()
    arrived(self, connection)
    if !connection.isGone, !connection.lifecycle.state.isSuspended { connection.resumeHeld() }
    if !connection.isGone { connection.watch() }
  }
}
