// One peer's connection: its socket, how far it has come, and what waits to be sent.
//
// Owned by one shard and used on its queue. A connection changes shards by being taken apart and built anew
// (ConnectionMoving.swift), never by being handed over. Phases, each going down only:
//
//   dialling ──► responseHead ─┐                        (as a client)
//              requestHead ────┴─► open ──► closing ──► lingering ──► gone
//                   └── plain HTTP, refusals ───────────►┘             ▲
//   any phase ── reset, end of stream, time out ───────────────────────┘
import WebSocket

package final class Connection {
  enum Phase {
    /// As a client: TCP is not connected yet.
    case dialling(UpgradeRequest)
    /// As a client: the answer to the upgrade is awaited.
    case responseHead(UpgradeRequest)
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
  let socket: Socket
  let role: Role
  package let address: SocketAddress
  var phase: Phase
  /// Slot and generation in the shard.
  package private(set) var token: UInt64 = 0

  /// The service's own, for as long as the connection stays on this shard.
  package var context: AnyObject?
  /// The subprotocol that was agreed upon; nil when none was asked for.
  package internal(set) var subprotocol: String?
  /// The code of the close frame that was sent or came first; nil when the connection broke without one.
  package internal(set) var closeCode: UInt16?
  var isKnownToService = false

  // Reading.
  var headBytes: [UInt8] = []
  var requestParser = RequestHeadParser(limits: HeadLimits())
  var responseParser = ResponseHeadParser(limits: HeadLimits())
  var decoder: MessageDecoder
  var closeHandshake = CloseHandshake()
  var departure: Departure?
  /// Pings and pongs in the second that began at `controlSecondBegan`.
  var controlFrames = 0
  var controlSecondBegan: Timestamp

  // Sending.
  var queue = SendQueue()
  var isWatched = false
  var awaitsWritability = false
  var isFlushPending = false
  /// Above this the connection is closed as too slow; bytes.
  package var unsentBytesMax: Int

  // Time.
  var timer: TimerID?
  var timerDue = Timestamp.distantFuture
  var phaseBegan: Timestamp
  var lastReceived: Timestamp
  var lastProgress: Timestamp
  var pingSent: Timestamp?
  /// Seconds of silence after which the peer is asked for a pong; 0 never.
  package var pingIntervalSeconds: Int64 {
    didSet { armTimer() }
  }
  /// When the service wants to be asked about this connection.
  package var serviceDeadline: Timestamp? {
    didSet { armTimer() }
  }

  init(_ core: ShardCore, socket: Socket, address: SocketAddress, role: Role, phase: Phase, decoder: MessageDecoder) {
    self.core = core
    self.socket = socket
    self.address = address
    self.role = role
    self.phase = phase
    self.decoder = decoder
    unsentBytesMax = core.limits.unsentBytesMax
    phaseBegan = core.now
    lastReceived = core.now
    lastProgress = core.now
    controlSecondBegan = core.now
    pingIntervalSeconds = role == .server ? core.limits.pingIntervalSeconds : 0
    token = core.settle(self)
  }

  /// Messages can be sent.
  package var isOpen: Bool {
    if case .open = phase { departure == nil } else { false }
  }

  var isGone: Bool {
    if case .gone = phase { true } else { false }
  }

  func enter(_ next: Phase) {
    phase = next
    phaseBegan = core.now
    armTimer()
  }

  /// Begins to be told of readiness.
  func watch() {
    precondition(!isWatched, "a connection is watched once")
    // The kernel has no memory for one more: this connection ends, the others go on.
    guard core.poller.add(socket, awaitsWritability ? [.read, .write] : .read, token: token) else { return abandon() }
    isWatched = true
    armTimer()
  }

  /// Ends the connection at once, without a word to the peer; what is queued is tried once more.
  package func abandon() {
    guard !isGone else { return }
    phase = .gone
    core.buryLater(self)
  }
}

// What an accepted or dialled socket becomes.
extension ShardCore {
  /// A connection that a listener has accepted.
  func receive(_ socket: Socket, from address: SocketAddress) {
    guard !isStopped else { return socket.close() }
    counters.connectionsAccepted += 1
    if let bytes = limits.kernelSendBytes { socket.limitSendBuffer(bytes: bytes) }
    let connection = Connection(
      self,
      socket: socket,
      address: address,
      role: .server,
      phase: .requestHead,
      decoder: MessageDecoder(role: .server, messageBytesMax: 0)
    )
    connection.watch()
  }

  /// Connects as a client and asks for a WebSocket. The service hears `opened`, or only `closed`. A message over
  /// `messageBytesMax` ends the connection with 1009. Throws when the system has no socket for it.
  package func dial(
    _ address: ResolvedAddress,
    _ request: UpgradeRequest,
    messageBytesMax: Int,
    context: AnyObject
  ) throws(NetError) -> Connection {
    let connection = Connection(
      self,
      socket: try Socket.connect(to: address),
      address: SocketAddress(ip: IPAddress(high: 0, low: 0), port: 0),
      role: .client,
      phase: .dialling(request),
      decoder: MessageDecoder(role: .client, messageBytesMax: messageBytesMax)
    )
    connection.context = context
    connection.isKnownToService = true
    connection.awaitsWritability = true
    connection.watch()
    return connection
  }
}
