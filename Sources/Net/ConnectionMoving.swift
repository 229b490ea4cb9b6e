// How a connection changes shards: its peer leaves a connection on one thread, and gets a new one on the other.
//
// Only at a message boundary, from inside `ShardService.received` or `adopted`, or while the connection is suspended:
// that message is the last one that the old shard executes. One object travels, `ConnectedPeer`, with bytes that came
// behind that message, bytes not sent yet, the decoder's state and deadlines; the service's cargo goes beside it. The
// old slot's generation goes up, so events and timers still under way for it find nobody. The new shard asks its
// service first (a reply to the join goes before all else), then parses the bytes that travelled along, and only then
// asks the kernel for more.

extension Connection {
  /// Moves the connection to another shard when the message under way has been dealt with, at once when none is; here
  /// it is gone then.
  package func move(to shard: Shard, carrying cargo: any Sendable) {
    precondition(shard.index != self.shard.index, "a connection moves to another shard")
    lifecycle.depart(
      Departure { peer in
        // The old shard has it no more.
        nonisolated(unsafe) let peer = peer
        shard.post { $0.core.adopt(peer, carrying: cargo) }
      }
    )
    if !isConsuming { depart(unread: peer.held) }
  }

  /// Moves a connection that is about to. The service may have sent something and a send may have failed before it
  /// decided to move: then the connection has ended.
  func depart(unread: [UInt8]) {
    guard let departure = lifecycle.departed() else { return }
    leaveShard()
    owner.vacate(token)
    let peer = self.peer
    self.peer = peer.remains(shard.limits, at: shard.now)
    context = nil
    peer.held = unread
    peer.outbound.prepareToMove()
    departure.deliver(peer)
  }
}

extension ShardCore {
  private func giveUp(_ peer: ConnectedPeer) {
    peer.outbound.endStall(budgets.unsent)
    peer.transport.socket.close()
    if peer.role == .server { quota.release(peer.countedAddress) }
  }

  fileprivate func adopt(_ peer: ConnectedPeer, carrying cargo: any Sendable) {
    guard !isStopped else { return giveUp(peer) }
    counters.connectionsAdopted += 1
    let connection = register(peer, .open)
    // The same bytes count in the budget, and the peer's pace is reckoned on.
    connection.goOnSending()
    service.adopted(connection, carrying: cargo)
    if !connection.isGone, !connection.lifecycle.state.isSuspended { connection.resumeHeld() }
    if !connection.isGone { connection.watch() }
  }
}
