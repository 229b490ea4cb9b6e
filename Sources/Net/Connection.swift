// One peer's connection on a shard: its state, its peer, and the shard's resources for it.
//
// Owned by one shard and used on its queue. A connection never changes shards: it hands its peer to a new connection
// there (ConnectionMoving.swift). `ConnectionLifecycle` has the states and the transitions between them.
import WebSocket

package final class Connection {
  // First what each message and each tick looks at, so that it shares lines of the processor's cache.
  let shard: ShardResources
  /// The part that goes along when the connection moves.
  let peer: ConnectedPeer
  private var serviceContext: AnyObject?
  /// Whether messages can be sent.
  package var isOpen: Bool { isStateOpen }
  private var isStateOpen: Bool
  /// Messages are being handled, one after the other.
  var isConsuming = false
  /// The newest bytes have ended with a whole message.
  var endedWithMessage = false
  /// The epoll set has the socket.
  private(set) var isWatched = false
  /// The epoll set reports each arrival once, and not for as long as bytes wait.
  private(set) var isToldOnce = false
  var isFlushPending = false
  /// The newest message was one whose successor may wait for the read of the connection's group.
  var mayWait = false
  /// The time since which TLS must write before it can read on; nil when it need not.
  var readAwaitsWritingSince: Timestamp?
  /// The circles over the service's objects end with the connection.
  let service: any ShardService

  // Copied out and back for its rare changes: a change in place would make each look at it a checked access.
  var lifecycle: ConnectionLifecycle {
    get { ownLifecycle }
    set {
      ownLifecycle = newValue
      isStateOpen = newValue.state.isOpen
    }
  }
  private var ownLifecycle: ConnectionLifecycle
  /// The slot and generation in the shard.
  package let token: UInt64
  unowned let owner: any ConnectionOwner
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
    isStateOpen = state.isOpen
    ownLifecycle = ConnectionLifecycle(state, at: shard.now)
  }

  /// The service's own object, for as long as the connection stays on this shard.
  package var context: AnyObject? {
    get { serviceContext }
    set { serviceContext = newValue }
  }

  /// The context without a count of its references: the connection holds it until the service replaces it.
  package var heldContext: Unmanaged<AnyObject>? { serviceContext.map(Unmanaged.passUnretained) }

  var socket: Socket { peer.transport.socket }

  var isGone: Bool { lifecycle.state.isGone }

  /// Ends the connection at once, without a close frame. Queued bytes are tried once more, but not over TLS.
  package func abandon() { abandon(nil) }

  /// The same with a close code of this end's own.
  func abandon(_ code: UInt16?) {
    if lifecycle.end(code) { shard.ended.append(token) }
  }
}

// The part that the service reads and sets.
extension Connection {
  /// Lets the next arrival, at the pace of such messages, wait for the read of the connection's group (`ReadGroup`).
  package func letNextWait() { mayWait = true }

  /// The peer's address; behind a trusted proxy, the address of that proxy's client.
  package var address: SocketAddress { peer.address }

  /// The subprotocol that was agreed upon; nil when none was asked for.
  package var subprotocol: String? { peer.subprotocol }

  /// The window to compress with for this peer; nil when it accepts nothing compressed.
  package var deflateWindowBits: Int? { peer.deflateWindowBits }

  /// The code of the close frame that was sent or came first; nil when the connection broke without one.
  package var closeCode: UInt16? { lifecycle.state.ending.closeCode }

  /// The kernel's smoothed round-trip time to the peer; microseconds. A system call. Nil where the kernel knows none.
  /// Behind a proxy the peer is the proxy.
  package var roundTripMicroseconds: Int64? { socket.roundTripMicroseconds }

  /// See `Socket.acknowledge`.
  package func acknowledge() { socket.acknowledge() }

  /// Sets the bound of unsent bytes; above it the connection is closed as too slow.
  package func allow(unsentBytes max: Int) { peer.changeOutbound { $0.bytesMax = max } }

  /// Sets the longest message that is taken from the peer's next frame on; a longer one ends the connection with 1009.
  package func allow(messageBytes max: Int) { peer.decoder.messageBytesMax = max }

  /// The seconds of silence after which the peer is asked for a pong; 0 for never.
  package var pingIntervalSeconds: Int64 {
    get { peer.keepalive.intervalSeconds }
    set {
      peer.keepalive.intervalSeconds = newValue
      armTimer()
    }
  }

  /// The time at which the service wants to be asked about this connection.
  package var serviceDeadline: Timestamp? {
    get { peer.serviceDeadline }
    set {
      peer.serviceDeadline = newValue
      armTimer()
    }
  }
}

// Readiness.
extension Poller.Interest {
  fileprivate init(of connection: Connection) {
    self = connection.isReading ? .read : []
    if connection.peer.outbound.isStalled || connection.readAwaitsWritingSince != nil { insert(.write) }
    switch connection.lifecycle.state {
    case .dialling: insert(.write)
    case .suspended(isPeerEndReported: false): insert(.peerEnd)
    // A TLS session may keep bytes that it has read for later.
    case .open where connection.isReading && connection.peer.transport.tls == nil: formUnion([.peerEnd, .once])
    default: break
    }
  }
}

extension Connection {
  /// Whether arriving bytes are read.
  var isReading: Bool {
    peer.pausedUntil == nil && readAwaitsWritingSince == nil && !lifecycle.state.stopsReading
  }

  /// Asks the poller for readiness.
  func watch() {
    precondition(!isWatched, "a connection is watched once")
    // The kernel has no memory for one more: only this connection ends.
    let interest = Poller.Interest(of: self)
    guard shard.poller.add(socket, interest, token: token) else { return abandon() }
    isWatched = true
    isToldOnce = interest.contains(.once)
    armTimer()
    if peer.transport.hasPending { resumeLater() }
  }

  /// Tells the poller what is to be reported. Whatever is ready by then is reported once more.
  func changeInterest() {
    guard isWatched, !isGone else { return }
    let interest = Poller.Interest(of: self)
    shard.poller.change(socket, interest, token: token)
    isToldOnce = interest.contains(.once)
  }

  /// Gives back everything that the shard has of the connection but its slot.
  func leaveShard() {
    if isWatched { shard.poller.remove(socket) }
    timer.cancel(shard)
  }
}

// Pauses.
extension Connection {
  /// Reads nothing until `time`. The peer's bytes stay in the kernel, which slows the peer down when it is full.
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

  /// Holds back further messages of an open connection until `resumeMessages`: the next ones may depend on this one's
  /// outcome. The peer's bytes stay in the kernel meanwhile.
  ///
  /// - Returns: false where nothing changes: it is suspended already, or not open.
  @discardableResult
  package func suspend() -> Bool {
    let wasReading = isReading
    guard lifecycle.suspend() else { return false }
    if wasReading { changeInterest() }
    return true
  }

  /// The peer of a suspended connection has sent its last byte. The service is notified once in each suspension: the
  /// outcome may reach nobody.
  func peerEndedWhileSuspended() {
    guard lifecycle.peerEndedWhileSuspended() else { return readEnd() }
    changeInterest()
    service.peerEnded(self)
  }

  /// The peer's end has come with bytes, and may have been reported with them: has it reported again.
  private func readEnd() {
    if isToldOnce, isReading { changeInterest() }
  }

  /// Lets messages through again, in a later step of the shard.
  package func resumeMessages() {
    if lifecycle.resume() { readOn() }
  }

  /// Reads the messages that waited behind the one that the service handled.
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
