// The opening of a connection: accepted or dialled, a proxy's header, the TLS handshake. Heads follow
// (HTTPExchange.swift, or as a client here).
//
// On the shard's queue. The whole opening shares the time of one handshake. A peer that fails here is no connection
// yet and gets no answer, except a peer that speaks HTTP where TLS is expected.
import WebSocket

// Accepted and dialled sockets.
extension ShardCore {
  /// A connection that a listener has accepted and the quota has admitted.
  func receive(
    _ socket: Socket,
    from address: SocketAddress,
    isCountedByAddress: Bool,
    by configuration: ListenerConfiguration
  ) {
    guard !isStopped else {
      socket.close()
      return quota.release(isCountedByAddress ? address.ip : nil)
    }
    counters.connectionsAccepted += 1
    if let bytes = limits.kernelSendBytes { socket.limitSendBuffer(bytes: bytes) }
    let peer = ConnectedPeer(
      Transport(socket: socket),
      role: .server,
      address: address,
      isCountedByAddress: isCountedByAddress,
      limits,
      at: now
    )
    let reading = RequestReading(configuration, limits)
    register(peer, ConnectionState(accepting: reading, from: address.ip)).watch()
  }

  /// Connects as a client and asks for a WebSocket. The service gets `opened`, or only `closed`. A message over
  /// `messageBytesMax` ends the connection with 1009. With `tls` the peer must prove that it is `request`'s host.
  /// Throws when the system has no socket left.
  package func dial(
    _ address: ResolvedAddress,
    _ request: UpgradeRequest,
    tls: TLSContext? = nil,
    messageBytesMax: Int,
    context: AnyObject
  ) throws(NetError) -> Connection {
    let socket = try Socket.connect(to: address)
    let session = tls.flatMap { $0.makeSession(on: socket, serverName: request.hostName) }
    guard tls == nil || session != nil else {
      socket.close()
      throw NetError("can't begin TLS")
    }
    let peer = ConnectedPeer(
      Transport(socket: socket, tls: session),
      role: .client,
      address: SocketAddress(ip: IPAddress(high: 0, low: 0), port: 0),
      isCountedByAddress: false,
      messageBytesMax: messageBytesMax,
      limits,
      at: now
    )
    let connection = register(peer, .dialling(UpgradeAsking(request)))
    connection.context = context
    connection.watch()
    return connection
  }
}

// Dialling.
extension Connection {
  func finishDialling(_ asking: UpgradeAsking) {
    guard socket.pendingError == 0 else { return abandon() }
    let hasTLS = peer.transport.tls != nil
    lifecycle.connected(hasTLS: hasTLS, at: shard.now)
    changeInterest()
    armTimer()
    if hasTLS { shakeHands() } else { ask(asking) }
  }

  private func ask(_ asking: UpgradeAsking) {
    queue { bytes, _ in bytes += asking.request.bytes }
  }

  /// The upgrade is done.
  func open() {
    lifecycle.opened(at: shard.now)
    changeInterest()
    armTimer()
    service.opened(self)
  }
}

/// The answer to a client's upgrade: a view of one connection, made where it is used.
struct UpgradeAnswering {
  let connection: Connection
  let asking: UpgradeAsking

  // Not inlined into the reading of messages: it changes the decoder, and each message would pay for that check.
  @inline(never)
  func consume(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    let peer = connection.peer
    do throws(UpgradeFailure) {
      guard let head = try asking.next(in: bytes, &offset) else { return }
      let (subprotocol, compression) = try asking.request.check(head)
      peer.subprotocol = subprotocol
      if let compression {
        peer.deflateWindowBits = compression.clientWindowBits
        let messageBytesMax = peer.decoder.messageBytesMax
        peer.decoder = MessageDecoder(role: .client, messageBytesMax: messageBytesMax, compression: true)
      }
      connection.open()
    } catch {
      connection.abandon()
    }
  }
}

/// The reading of a proxy's header: a view of one connection, made where it is used.
struct ProxyHeaderTaking {
  let connection: Connection
  let reading: RequestReading

  func goOn() {
    switch connection.socket.takeProxyHeader(in: connection.shard.readBuffer) {
    case .taken(let source?) where connection.identify(as: source) != .admitted:
      guard reading.configuration.certificate == nil else { return connection.abandon() }
      HTTPExchange(connection, reading).refuse(.tooManyRequests(retryAfterSeconds: 60))
    case .taken: connection.lifecycle.proxyHeaderEnded()
    case .incomplete: awaitMore()
    case .nothing: break
    case .broken: connection.abandon()
    }
  }

  /// Looks again after a delay that doubles each time. The peeked bytes stay in the socket, so the poller would report
  /// them again at once.
  private func awaitMore() {
    let now = connection.shard.now
    let waited = now.microseconds(since: connection.lifecycle.began) / 1_000
    connection.pauseReading(until: now.advanced(milliseconds: max(10, waited)))
  }
}

// Proxies.
extension Connection {
  /// Takes the client's address from a trusted proxy.
  func identify(as client: SocketAddress) -> ConnectionQuota.Verdict {
    guard !peer.isCountedByAddress else { return .admitted }
    let verdict = shard.quota.identify(client.ip)
    if verdict == .admitted {
      peer.address = client
      peer.isCountedByAddress = true
    } else {
      shard.counters.connectionsOverAddressLimit += 1
    }
    return verdict
  }
}

// TLS.
extension Connection {
  func shakeHands() {
    // Not before the first byte: a silent peer costs no session.
    if peer.transport.tls == nil, case .serverHandshake(let reading, _) = lifecycle.state {
      guard beginHandshake() else { return }
      UndeclaredProxySearch(self, reading.configuration).searchSocket()
      peer.transport.tls = reading.configuration.certificate?.context.makeSession(on: socket)
    }
    guard let tls = peer.transport.tls else { return abandon() }
    switch tls.shakeHands() {
    case .done:
      lifecycle.handshakeEnded(at: shard.now)
      shard.noteHandshake()
      if case .responseHead(let asking) = lifecycle.state {
        armTimer()
        ask(asking)
      }
      if peer.transport.hasPending { resumeLater() }
    case .wantsRead:
      break
    case .wantsWrite:
      awaitWritingToRead()
    case .isPlainHTTP:
      peer.transport.tls = nil
      let answer = HTTPFailure.tlsExpected.response.serialized(keepAlive: false, headOnly: false)
      queue { bytes, _ in bytes += answer }
      linger()
    case .failed:
      abandon()
    }
  }

  /// Whether the TLS handshake may begin. If not, the connection looks again soon; the peer's bytes stay in the kernel.
  private func beginHandshake() -> Bool {
    guard isHeldToAddressLimits else { return true }
    guard let place = shard.budgets.handshakes.begin(address.ip.subscriberNetwork) else {
      pauseReading(until: shard.now.advanced(milliseconds: 100))
      return false
    }
    lifecycle.handshakeBegan(place)
    return true
  }

  /// Whether the peer's address is known and has limits of its own. A trusted proxy's connection carries many clients'
  /// requests.
  var isHeldToAddressLimits: Bool {
    peer.isCountedByAddress && (shard.limits.limitsLoopback || !address.ip.isLoopback)
  }
}
