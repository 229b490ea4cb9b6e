// Shards without queues of their own, for simulations. A driver runs their turns on its own thread, in any order, with
// a clock that it sets.
//
// On the driving thread, which stands in for the shard's queue. A turn is the same, but for waiting. The
// driver must stop its shards before it releases them, since no queue does.
// Decisions: 002 (docs/decisions).
import Glibc

extension Shard {
  /// Runs one turn without waiting. False when there was nothing to do: nothing will be due before `nextDue`, unless a
  /// peer or another shard sends something.
  package nonisolated func turn() -> Bool {
    executor.checkIsolated()
    return queueCore.turnAtOnce(executor)
  }

  /// The time of the wheel's next turn; nil without a timer.
  package nonisolated var nextDue: Timestamp? {
    assumeIsolated { $0.core.isStopped ? nil : $0.core.resources.wheel.nextTurn }
  }

  /// Takes in one end of a connected pair of sockets, as if a listener had accepted it from `address`.
  package nonisolated func adopt(_ descriptor: Int32, from address: SocketAddress) {
    post { $0.core.adopt(Socket(descriptor: descriptor), from: address) }
  }
}

extension ShardCore {
  fileprivate func adopt(_ socket: Socket, from address: SocketAddress) {
    switch quota.admit(address.ip) {
    case .admitted: break
    case .tooManyInAll:
      counters.connectionsOverLimit += 1
      return socket.close()
    case .tooManyFromAddress:
      counters.connectionsOverAddressLimit += 1
      return socket.close()
    }
    receive(socket, from: address, isCountedByAddress: true, by: ListenerConfiguration())
  }
}
