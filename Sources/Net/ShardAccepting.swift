// The intake of newcomers: a bounded number a turn, each counted, and handed to all shards in turn.
//
// On the first shard's queue. ConnectionOpening.swift turns a newcomer into a connection.
import WebSocket

extension ShardCore {
  func listen(on socket: Socket, by configuration: ListenerConfiguration) {
    precondition(listener == nil, "a shard has one listener")
    let listener = Listener(socket, configuration)
    self.listener = listener
    let isWatched = resources.poller.add(socket, .read, token: Listener.token)
    precondition(isWatched, "a listener can be added to an epoll set")
  }

  func stopListening() {
    guard let listener else { return }
    if !listener.isPaused { resources.poller.remove(listener.socket) }
    listener.socket.close()
    self.listener = nil
  }

  func acceptNewcomers() {
    guard let listener else { return }
    // The waiting newcomer is reported again in the next turn, when the place is free.
    if limits.silentGiveWay, quota.isFull, abandonLongestSilent() { return }
    for _ in 0..<(limits.silentGiveWay ? 1 : limits.acceptsMax) {
      switch listener.socket.accept() {
      case .connection(let socket, let address):
        admit(socket, from: address, by: listener)
      case .nobody:
        return
      case .exhausted:
        return exhausted(listener)
      }
    }
  }

  /// Gives up the connection that has waited longest among those that ask for nothing; false when there is none.
  private func abandonLongestSilent() -> Bool {
    // A connection that has ended in this turn already leaves a place.
    guard resources.ended.isEmpty else { return true }
    var longest: Connection?
    forEachConnection { connection in
      let lifecycle = connection.lifecycle
      guard lifecycle.state.asksForNothing(hasUnsent: connection.unsentBytes > 0),
        lifecycle.began < longest?.lifecycle.began ?? .distantFuture
      else { return }
      longest = connection
    }
    longest?.abandon()
    return longest != nil
  }

  private func admit(_ socket: Socket, from address: SocketAddress, by listener: Listener) {
    // The client of a trusted proxy's connection is not known yet.
    let configuration = listener.configuration
    let isCounted = !configuration.trustedProxies.contains(address.ip)
    switch quota.admit(isCounted ? address.ip : nil) {
    case .admitted:
      break
    case .tooManyInAll:
      counters.connectionsOverLimit += 1
      return listener.turnAway(socket, .serviceUnavailable(retryAfterSeconds: 10))
    case .tooManyFromAddress:
      counters.connectionsOverAddressLimit += 1
      return listener.turnAway(socket, .tooManyRequests(retryAfterSeconds: 60))
    }
    let shard = siblings[listener.chooseShard(among: siblings.count)]
    if shard.index == index {
      receive(socket, from: address, isCountedByAddress: isCounted, by: configuration)
    } else {
      shard.post { $0.core.receive(socket, from: address, isCountedByAddress: isCounted, by: configuration) }
    }
  }

  /// No descriptor is left for a newcomer.
  private func exhausted(_ listener: Listener) {
    for _ in 0..<limits.acceptsMax {
      guard listener.refuseInReserve() else { break }
      counters.connectionsWithoutDescriptor += 1
    }
    listener.pause(in: resources.poller)
    pauseAccepting()
  }
}
