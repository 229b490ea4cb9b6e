// The closing of the greediest connections, on every shard in turn, when the process's unsent bytes exceed the limit.
//
// On each shard's queue, by mailbox items from one to the next. A connection that holds less than the average of all
// waiting ones is never closed here. So a peer that is a little behind is safe from one that takes nothing.

extension ShardCore {
  /// Begins the search in a mailbox item of this shard, unless one goes on: the rest of the turn is not disturbed.
  func shedUnsentLater() {
    guard index < siblings.count, budgets.unsent.beginShedding() else { return }
    siblings[index].post { $0.core.shedUnsent(fruitlessShards: 0) }
  }

  /// Closes this shard's greediest connections as long as the budget is exceeded, then asks the next shard. The search
  /// ends within the budget, or when a whole round of shards has found none.
  private func shedUnsent(fruitlessShards: Int) {
    let hasShed = shedGreediest()
    let fruitlessShards = hasShed ? 0 : fruitlessShards + 1
    guard !isStopped, budgets.unsent.isExceeded, fruitlessShards < siblings.count else {
      return budgets.unsent.endShedding()
    }
    siblings[(index + 1) % siblings.count].post { $0.core.shedUnsent(fruitlessShards: fruitlessShards) }
  }

  private func shedGreediest() -> Bool {
    guard budgets.unsent.isExceeded else { return false }
    var waiting: [(bytes: Int, connection: Connection)] = []
    forEachStalledConnection { connection in
      let bytes = connection.peer.outbound.countedBytes
      if bytes > 0 { waiting.append((bytes, connection)) }
    }
    waiting.sort { $0.bytes > $1.bytes }
    var hasShed = false
    for (bytes, connection) in waiting {
      guard budgets.unsent.isExceeded, bytes >= budgets.unsent.fairShareBytes else { break }
      connection.shed()
      hasShed = true
    }
    return hasShed
  }
}

extension Connection {
  /// Ends the connection as too slow and drops its waiting bytes, in the kernel too. The peer sees a reset: a close
  /// frame can't stand behind half a frame.
  fileprivate func shed() {
    guard !isGone else { return }
    shard.counters.connectionsShed += 1
    shard.counters.bytesDropped += unsentBytes
    peer.changeOutbound { $0.discard() }
    endStall()
    socket.discardWhenClosed()
    abandon(ConnectionCloseCode.tooSlow)
  }
}
