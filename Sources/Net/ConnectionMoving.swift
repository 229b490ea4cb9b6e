// How a connection changes shards: taken apart on one thread, built anew on the other.
//
// Only at a message boundary, from inside `ShardService.received` or `adopted`, or while the connection is suspended: that
// message is the last one that the old shard executes. One value travels: the socket, bytes that came behind that message,
// bytes not sent yet, the decoder's state, deadlines, and the service's cargo. The old slot's generation goes up, so
// events and timers still under way for it find nobody. The new shard asks its service first (a reply to the join goes
// before all else), then parses the bytes that travelled along, and only then asks the kernel for more.
import WebSocket

/// Where a connection goes, and what the service sends along. An object, so that connections that stay don't pay for it.
final class Departure {
  let shard: Shard
  let cargo: any Sendable

  init(shard: Shard, cargo: any Sendable) {
    self.shard = shard
    self.cargo = cargo
  }
}

/// Unsent bytes on their way. An object, so that the new shard can take them out: the mailbox item lives on until the end of its
/// turn, and megabytes would lie in memory twice.
private final class UnsentLoad: Sendable {
  /// The old shard's before the mailbox item is put, the new one's after.
  nonisolated(unsafe) private var bytes: [UInt8]

  init(_ bytes: consuming [UInt8]) {
    self.bytes = bytes
  }

  func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// A connection between two shards.
private struct Transit: Sendable {
  let transport: Transport
  let address: SocketAddress
  let isCountedByAddress: Bool
  let role: Role
  let subprotocol: String?
  let deflateWindowBits: Int?
  let decoder: MessageDecoder
  let unsent: UnsentLoad
  let stall: Stall?
  let longMessageBytes: Int
  let unread: [UInt8]
  let unsentBytesMax: Int
  let lastReceived: Timestamp
  let messageBegan: Timestamp
  let pausedUntil: Timestamp?
  let controlFrames: Int
  let controlSecondBegan: Timestamp
  let pingSent: Timestamp?
  let pingIntervalSeconds: Int64
  let serviceDeadline: Timestamp?
  let cargo: any Sendable
}

extension Connection {
  /// Moves the connection to another shard when the message under way has been dealt with, at once when none is; here it
  /// is gone then.
  package func move(to shard: Shard, carrying cargo: any Sendable) {
    precondition(isOpen && departure == nil, "an open connection moves, to one place")
    precondition(shard !== core.siblings[core.index], "a connection moves to another shard")
    let departure = Departure(shard: shard, cargo: cargo)
    self.departure = departure
    if !isConsuming { depart(departure, unread: held) }
  }

  func depart(_ departure: Departure, unread: [UInt8]) {
    // The service may have sent something and a send may have failed before it decided to move.
    guard !isGone else { return }
    if isWatched { core.poller.remove(socket) }
    if let timer { core.cancelTimer(timer) }
    core.vacate(self)
    let transit = Transit(
      transport: transport,
      address: address,
      isCountedByAddress: isCountedByAddress,
      role: role,
      subprotocol: subprotocol,
      deflateWindowBits: deflateWindowBits,
      decoder: decoder,
      unsent: UnsentLoad(queue.takeUnsent()),
      stall: stall,
      longMessageBytes: longMessageBytes,
      unread: unread,
      unsentBytesMax: unsentBytesMax,
      lastReceived: lastReceived,
      messageBegan: messageBegan,
      pausedUntil: pausedUntil,
      controlFrames: controlFrames,
      controlSecondBegan: controlSecondBegan,
      pingSent: pingSent,
      pingIntervalSeconds: pingIntervalSeconds,
      serviceDeadline: serviceDeadline,
      cargo: departure.cargo
    )
    phase = .gone
    context = nil
    stall = nil
    departure.shard.post { $0.core.adopt(transit) }
  }
}

extension ShardCore {
  private func giveUp(_ transit: Transit) {
    transit.transport.socket.close()
    budgets.unsent.change(from: transit.stall?.countedBytes ?? 0, to: 0)
    if transit.role == .server { quota.release(transit.isCountedByAddress ? transit.address.ip : nil) }
  }

  fileprivate func adopt(_ transit: Transit) {
    guard !isStopped else { return giveUp(transit) }
    counters.connectionsAdopted += 1
    let connection = Connection(
      self,
      transit.transport,
      address: transit.address,
      isCountedByAddress: transit.isCountedByAddress,
      role: transit.role,
      phase: .open,
      decoder: transit.decoder
    )
    connection.subprotocol = transit.subprotocol
    connection.deflateWindowBits = transit.deflateWindowBits
    connection.messageBegan = transit.messageBegan
    connection.unsentBytesMax = transit.unsentBytesMax
    connection.lastReceived = transit.lastReceived
    connection.pausedUntil = transit.pausedUntil
    connection.controlFrames = transit.controlFrames
    connection.controlSecondBegan = transit.controlSecondBegan
    connection.pingSent = transit.pingSent
    connection.pingIntervalSeconds = transit.pingIntervalSeconds
    connection.serviceDeadline = transit.serviceDeadline
    connection.isKnownToService = true
    connection.queue.putBack(transit.unsent.take())
    if !connection.queue.isEmpty {
      connection.longMessageBytes = transit.longMessageBytes
      if let stall = transit.stall {
        // As on the old shard: the same bytes count in the budget, and the peer's pace is reckoned on.
        connection.stall = stall
        connection.awaitsWritability = true
      } else {
        connection.queue { _, _ in }
      }
    }
    connection.held = transit.unread
    service.adopted(connection, carrying: transit.cargo)
    if !connection.isGone, !connection.isSuspended { connection.resumeHeld() }
    if !connection.isGone { connection.watch() }
  }
}
