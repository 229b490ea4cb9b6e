// One peer's connection: its transport, how far it has come, and what waits to be sent.
//
// Owned by one shard and used on its thread. A connection changes shards by being taken apart and built anew
// (ConnectionMoving.swift), never by being handed over. Phases, each going down only:
//
//   dialling ───┐ (as a client)                ┌─ responseHead ─┐
//   proxyHeader ┴─► tlsHandshake (with TLS) ───┴─ requestHead ──┴─► open ──► closing ──► lingering ──► gone
//                        │                          └── plain HTTP, refusals ────────────►┘            ▲
//                        └─ any phase ── reset, end of stream, time out ──────────────────────────────┘
import WebSocket

package final class Connection {
  enum Phase {
    /// As a client: TCP is not connected yet.
    case dialling
    /// A proxy's word on who its client is, in front of everything else, is awaited.
    case proxyHeader
    case tlsHandshake
    /// As a client: the answer to the upgrade is awaited.
    case responseHead
    /// A request head is awaited.
    case requestHead
    /// Messages flow.
    case open
    /// Our close frame is on its way and the peer's is awaited.
    case closing
    /// Nothing follows what is queued; the peer's bytes are read and thrown away until it ends.
    case lingering
    /// Over; the slot is given back at the end of the turn.
    case gone
  }

  unowned let core: ShardCore
  var transport: Transport
  let role: Role
  /// The peer's; behind a trusted proxy that proxy's client's.
  package internal(set) var address: SocketAddress
  /// Whether the quota counts the connection by its address; false while only a proxy is known.
  var isCountedByAddress: Bool
  var phase: Phase
  /// Slot and generation in the shard.
  package private(set) var token: UInt64 = 0

  /// The service's own, for as long as the connection stays on this shard.
  package var context: AnyObject?
  /// The subprotocol that was agreed upon; nil when none was asked for.
  package internal(set) var subprotocol: String?
  /// What to compress with for this peer; nil when it takes nothing compressed.
  package internal(set) var deflateWindowBits: Int? {
    get { deflateBits == 0 ? nil : Int(deflateBits) }
    set { deflateBits = UInt8(newValue ?? 0) }
  }
  private var deflateBits: UInt8 = 0
  /// The code of the close frame that was sent or came first; nil when the connection broke without one.
  package internal(set) var closeCode: UInt16?
  var isKnownToService = false

  // Reading.
  /// Nil once messages flow.
  var heads: HeadReading?
  var decoder: MessageDecoder
  var closeHandshake = CloseHandshake()
  var departure: Departure?
  /// When the first byte came of a message of which more is awaited; `.distantFuture` when none is.
  var messageBegan = Timestamp.distantFuture
  /// Nothing is read until then.
  var pausedUntil: Timestamp?
  /// What was read in an earlier turn that had no time left for it, or before a message that the service is still at.
  var held: [UInt8] = []
  /// Messages are being dealt with one after the other.
  var isConsuming = false
  /// The service is still at the last message: the next one waits.
  private(set) var isSuspended = false
  /// The service knows that the peer has ended while the connection was suspended.
  private var isPeerEndTold = false
  /// TLS must write before it reads on.
  var readAwaitsWriting = false
  /// The peer sends no more; what is queued still goes out.
  var hasPeerEnded = false
  /// Pings and pongs in the second that began at `controlSecondBegan`.
  var controlFrames = 0
  var controlSecondBegan: Timestamp

  // Sending.
  var queue = SendQueue()
  var isWatched = false
  var awaitsWritability = false {
    didSet { core.noteStall(of: self) }
  }
  var isFlushPending = false
  /// Above this the connection is closed as too slow; bytes.
  package var unsentBytesMax: Int
  /// Set while something waits for the kernel.
  var stall: Stall?
  /// Of what waits, a message longer than that by itself, as far as it is not sent.
  var longMessageBytes = 0

  // Time.
  var timer: TimerID?
  var timerDue = Timestamp.distantFuture
  var phaseBegan: Timestamp
  var lastReceived: Timestamp
  /// When reading began to wait for writing.
  var readWaitBegan: Timestamp
  var pingSent: Timestamp?
  /// Seconds of silence after which the peer is asked for a pong; 0 never.
  package var pingIntervalSeconds: Int64 {
    didSet { armTimer() }
  }
  /// When the service wants to be asked about this connection.
  package var serviceDeadline: Timestamp? {
    didSet { armTimer() }
  }

  init(
    _ core: ShardCore,
    _ transport: Transport,
    address: SocketAddress,
    isCountedByAddress: Bool,
    role: Role,
    phase: Phase,
    decoder: MessageDecoder
  ) {
    self.core = core
    self.transport = transport
    self.address = address
    self.isCountedByAddress = isCountedByAddress
    self.role = role
    self.phase = phase
    self.decoder = decoder
    unsentBytesMax = core.limits.unsentBytesMax
    phaseBegan = core.now
    lastReceived = core.now
    readWaitBegan = core.now
    controlSecondBegan = core.now
    pingIntervalSeconds = role == .server ? core.limits.pingIntervalSeconds : 0
    token = core.settle(self)
  }

  var socket: Socket { transport.socket }

  /// How long a segment to the peer and its acknowledgement take, as the kernel has smoothed it; microseconds. A system
  /// call; nil where the kernel knows none. Behind a proxy the peer is the proxy.
  package var roundTripMicroseconds: Int64? { socket.roundTripMicroseconds }

  /// Messages can be sent.
  package var isOpen: Bool { phase == .open && departure == nil }

  var isGone: Bool { phase == .gone }

  func enter(_ next: Phase) {
    phase = next
    phaseBegan = core.now
    armTimer()
  }

  /// Ends the connection at once, without a word to the peer; what is queued is tried once more, but for TLS,
  /// which may have failed.
  package func abandon() {
    guard !isGone else { return }
    phase = .gone
    core.reapLater(self)
  }
}

// Readiness.
extension Connection {
  private var interest: Poller.Interest {
    var interest: Poller.Interest = isReading ? .read : []
    if awaitsWritability || readAwaitsWriting { interest.insert(.write) }
    if isSuspended, !isPeerEndTold { interest.insert(.peerEnd) }
    return interest
  }

  /// Whether what arrives is read.
  var isReading: Bool { pausedUntil == nil && !isSuspended && !hasPeerEnded && !readAwaitsWriting }

  /// Begins to be told of readiness.
  func watch() {
    precondition(!isWatched, "a connection is watched once")
    // The kernel has no memory for one more: this connection ends, the others go on.
    guard core.poller.add(socket, interest, token: token) else { return abandon() }
    isWatched = true
    armTimer()
    if transport.hasPending { core.resumeLater(self) }
  }

  func changeInterest() {
    if isWatched, !isGone { core.poller.change(socket, interest, token: token) }
  }

  /// Reads nothing until `time`: what the peer sends stays in the kernel, which slows the peer down when it is full.
  package func pauseReading(until time: Timestamp) {
    guard !isGone, time > core.now, time > pausedUntil ?? core.now else { return }
    let wasReading = isReading
    pausedUntil = time
    if wasReading { changeInterest() }
    armTimer()
  }

  func endPause() {
    pausedUntil = nil
    changeInterest()
    if transport.hasPending || !held.isEmpty || hasRequestsLeft { core.resumeLater(self) }
  }

  /// Lets no further message through until `goOn`: for a message whose outcome the next ones depend on. What the peer
  /// sends meanwhile stays in the kernel.
  package func suspend() {
    guard !isGone, !isSuspended else { return }
    let wasReading = isReading
    isSuspended = true
    if wasReading { changeInterest() }
  }

  /// The peer of a suspended connection has sent its last byte: told once, for nobody may be there for an outcome.
  func peerEndedWhileSuspended() {
    guard !isGone, isSuspended, !isPeerEndTold else { return }
    isPeerEndTold = true
    changeInterest()
    if isKnownToService { core.service.peerEnded(self) }
  }

  /// Lets messages through again, in a later step of the shard.
  package func goOn() {
    guard !isGone, isSuspended else { return }
    isSuspended = false
    lastReceived = core.now
    pingSent = nil
    armTimer()
    changeInterest()
    if transport.hasPending || !held.isEmpty { core.resumeLater(self) }
  }

  /// Goes on with what was left in an earlier turn and readiness won't tell of.
  func resume() {
    // One that has moved has its transport elsewhere.
    guard !isGone, !isSuspended else { return }
    // What came first goes first.
    if !held.isEmpty { resumeHeld() }
    if phase == .requestHead { resumeRequests() }
    if !isGone, held.isEmpty, transport.hasPending { becameReadable() }
  }
}
