// One peer's connection on a shard: how far it has come, the peer, and what the shard has of it.
//
// Owned by one shard and used on its thread. A connection changes shards by handing its peer to another connection
// there (ConnectionMoving.swift), never by being handed over itself. Its states and the ways between them are
// `ConnectionLifecycle`'s.
import WebSocket

package final class Connection {
  let shard: ShardResources
  unowned let service: any ShardService
  unowned let owner: any ConnectionOwner
  /// Slot and generation in the shard.
  package let token: UInt64
  /// The service's own, for as long as the connection stays on this shard.
  package var context: AnyObject?

  var lifecycle: ConnectionLifecycle
  /// What goes along when the connection moves.
  var peer: ConnectedPeer

  /// The epoll set has the socket.
  private(set) var isWatched = false
  /// Messages are being dealt with one after the other.
  var isConsuming = false
  /// Since when TLS must write before it reads on; nil when it need not.
  var readAwaitsWritingSince: Timestamp?
  var isFlushPending = false
  var timer = DeadlineTimer()

  init(
    _ peer: ConnectedPeer,
    _ state: ConnectionState,
    token: UInt64,
    of owner: any ConnectionOwner,
    _ shard: ShardResources,
    _ service: any ShardService
  ) {
    self.shard = shard
    self.service = service
    self.owner = owner
    self.token = token
    self.peer = peer
    lifecycle = ConnectionLifecycle(state, at: shard.now)
  }

  var socket: Socket { peer.transport.socket }

  /// Messages can be sent.
  package var isOpen: Bool { lifecycle.state.isOpen }

  var isGone: Bool { lifecycle.state.isGone }

  /// Ends the connection at once, without a word to the peer; what is queued is tried once more, but for TLS,
  /// which may have failed.
  package func abandon() {
    abandon(nil)
  }

  /// The same with a close code of this end's own.
  func abandon(_ code: UInt16?) {
    if lifecycle.end(code) { shard.ended.append(token) }
  }
}

// What the service knows and sets.
extension Connection {
  /// The peer's; behind a trusted proxy that proxy's client's.
  package var address: SocketAddress { peer.address }

  /// The subprotocol that was agreed upon; nil when none was asked for.
  package var subprotocol: String? { peer.subprotocol }

  /// What to compress with for this peer; nil when it takes nothing compressed.
  package var deflateWindowBits: Int? { peer.deflateWindowBits }

  /// The code of the close frame that was sent or came first; nil when the connection broke without one.
  package var closeCode: UInt16? { lifecycle.state.ending.closeCode }

  /// How long a segment to the peer and its acknowledgement take, as the kernel has smoothed it; microseconds. A system
  /// call; nil where the kernel knows none. Behind a proxy the peer is the proxy.
  package var roundTripMicroseconds: Int64? { socket.roundTripMicroseconds }

  /// Above this the connection is closed as too slow; bytes.
  package var unsentBytesMax: Int {
    get { peer.outbound.bytesMax }
    set { peer.outbound.bytesMax = newValue }
  }

  /// Seconds of silence after which the peer is asked for a pong; 0 never.
  package var pingIntervalSeconds: Int64 {
    get { peer.keepalive.intervalSeconds }
    set {
      peer.keepalive.intervalSeconds = newValue
      armTimer()
    }
  }

  /// When the service wants to be asked about this connection.
  package var serviceDeadline: Timestamp? {
    get { peer.serviceDeadline }
    set {
      peer.serviceDeadline = newValue
      armTimer()
    }
  }
}

// Readiness.
extension Connection {
  private var interest: Poller.Interest {
    var interest: Poller.Interest = isReading ? .read : []
    if peer.outbound.isStalled || readAwaitsWritingSince != nil { interest.insert(.write) }
    switch lifecycle.state {
    case .dialling: interest.insert(.write)
    case .suspended(isPeerEndTold: false): interest.insert(.peerEnd)
    default: break
    }
    return interest
  }

  /// Whether what arrives is read.
  var isReading: Bool {
    peer.pausedUntil == nil && readAwaitsWritingSince == nil && !lifecycle.state.stopsReading
  }

  /// Begins to be told of readiness.
  func watch() {
    precondition(!isWatched, "a connection is watched once")
    // The kernel has no memory for one more: this connection ends, the others go on.
    guard shard.poller.add(socket, interest, token: token) else { return abandon() }
    isWatched = true
    armTimer()
    if peer.transport.hasPending { resumeLater() }
  }

  func changeInterest() {
    if isWatched, !isGone { shard.poller.change(socket, interest, token: token) }
  }

  /// Gives back all that the shard has of the connection but its slot.
  func leaveShard() {
    if isWatched { shard.poller.remove(socket) }
    timer.cancel(shard)
  }
}

// Pauses.
extension Connection {
  /// Reads nothing until `time`: what the peer sends stays in the kernel, which slows the peer down when it is full.
  package func pauseReading(until time: Timestamp) {
    guard !isGone, time > shard.now, time > peer.pausedUntil ?? shard.now else { return }
    let wasReading = isReading
    peer.pausedUntil = time
    if wasReading { changeInterest() }
    armTimer()
  }

  func endPause() {
    peer.pausedUntil = nil
    changeInterest()
    if peer.transport.hasPending || !peer.held.isEmpty || lifecycle.state.holdsRequests { resumeLater() }
  }

  /// Lets no further message of an open connection through until `goOn`: for a message whose outcome the next ones
  /// depend on. What the peer sends meanwhile stays in the kernel.
  package func suspend() {
    let wasReading = isReading
    guard lifecycle.suspend() else { return }
    if wasReading { changeInterest() }
  }

  /// The peer of a suspended connection has sent its last byte: told once in each suspension, for nobody may be there for an outcome.
  func peerEndedWhileSuspended() {
    guard lifecycle.peerEndedWhileSuspended() else { return }
    changeInterest()
    service.peerEnded(self)
  }

  /// Lets messages through again, in a later step of the shard.
  package func goOn() {
    if lifecycle.goOn() { readOn() }
  }

  /// What waited behind the message that the service was at is read.
  func readOn() {
    peer.keepalive.heard(at: shard.now)
    armTimer()
    changeInterest()
    if peer.transport.hasPending || !peer.held.isEmpty { resumeLater() }
  }

  /// The connection goes on in the next turn, which comes at once.
  func resumeLater() {
    shard.resumable.append(token)
  }
}
