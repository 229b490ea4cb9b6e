// How a connection begins: accepted or dialled, a proxy's header, the TLS handshake. Then heads follow.
//
// On the shard's thread. All of it has the one handshake's time; whoever fails here is no connection yet and hears nothing,
// but one who speaks HTTP where TLS is spoken.
import WebSocket

// What an accepted or dialled socket becomes.
extension ShardCore {
  /// A connection that a listener has accepted and the quota has admitted.
  func receive(
    _ socket: Socket,
    from address: SocketAddress,
    isCountedByAddress: Bool,
    by configuration: ListenerConfiguration
  ) {
    guard !isStopped else { return giveUp(socket, isCountedByAddress ? address.ip : nil) }
    counters.connectionsAccepted += 1
    if let bytes = limits.kernelSendBytes { socket.limitSendBuffer(bytes: bytes) }
    let connection = Connection(
      self,
      Transport(socket: socket),
      address: address,
      isCountedByAddress: isCountedByAddress,
      role: .server,
      phase: configuration.firstPhase(of: address.ip),
      decoder: MessageDecoder(role: .server, messageBytesMax: 0)
    )
    connection.heads = HeadReading(configuration, limits)
    connection.watch()
  }

  /// Closes a socket that became no connection, or is none any more.
  func giveUp(_ socket: Socket, _ countedAddress: IPAddress?) {
    socket.close()
    quota.release(countedAddress)
  }

  /// Connects as a client and asks for a WebSocket. The service hears `opened`, or only `closed`. A message over
  /// `messageBytesMax` ends the connection with 1009. With `tls` the peer must prove that it is `request`'s host. Throws
  /// when the system has no socket for it.
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
    let connection = Connection(
      self,
      Transport(socket: socket, tls: session),
      address: SocketAddress(ip: IPAddress(high: 0, low: 0), port: 0),
      isCountedByAddress: false,
      role: .client,
      phase: .dialling,
      decoder: MessageDecoder(role: .client, messageBytesMax: messageBytesMax)
    )
    connection.heads = HeadReading(request)
    connection.context = context
    connection.isKnownToService = true
    connection.awaitsWritability = true
    connection.watch()
    return connection
  }
}

// Dialling.
extension Connection {
  func finishDialling() {
    guard socket.pendingError == 0 else { return abandon() }
    awaitsWritability = false
    changeInterest()
    if transport.tls == nil { askForUpgrade() } else { enter(.tlsHandshake) }
    if phase == .tlsHandshake { shakeHands() }
  }

  private func askForUpgrade() {
    guard let request = heads?.request else { preconditionFailure("a client knows what it asks for") }
    enter(.responseHead)
    queue { bytes, _ in bytes += request.bytes }
  }
}

// A proxy's header.
extension Connection {
  /// Whether the peer has not asked for anything since it connected, or has its last answer and stays nevertheless.
  var asksForNothing: Bool {
    switch phase {
    case .proxyHeader, .tlsHandshake: true
    case .requestHead: heads?.hasAsked == false
    case .lingering: queue.isEmpty
    case .dialling, .responseHead, .open, .closing, .gone: false
    }
  }

  /// Takes the header out of the socket, and not a byte of what is behind it: that may be for TLS.
  func readProxyHeader() {
    let buffer = core.readBuffer
    let count: Int
    switch socket.peek(into: buffer) {
    case .bytes(let peeked): count = peeked
    case .wouldBlock: return
    case .blockedByWriting, .ended, .failed: return abandon()
    }
    do throws(ProxyHeaderFault) {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      guard let header = try ProxyHeader.parse(bytes) else { return awaitMoreOfProxyHeader() }
      let headerBuffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<header.byteCount])
      guard case .bytes(header.byteCount) = socket.receive(into: headerBuffer) else { return abandon() }
      if let source = header.source {
        guard identify(as: source) == .admitted else { return turnAwayBehindProxy() }
      }
    } catch {
      return abandon()
    }
    phase = heads?.configuration?.certificate == nil ? .requestHead : .tlsHandshake
  }

  /// What was peeked stays in the socket and would be told of at once again, so it is looked at after a while, each time
  /// twice as long.
  private func awaitMoreOfProxyHeader() {
    let waited = core.now.microseconds(since: phaseBegan) / 1_000
    pauseReading(until: core.now.advanced(milliseconds: max(10, waited)))
  }

  private func turnAwayBehindProxy() {
    guard heads?.configuration?.certificate == nil else { return abandon() }
    phase = .requestHead
    refuse(.tooManyRequests(retryAfterSeconds: 60))
  }

  /// Takes a trusted proxy's word on whose the connection is.
  func identify(as client: SocketAddress) -> ConnectionQuota.Verdict {
    guard !isCountedByAddress else { return .admitted }
    let verdict = core.quota.identify(client.ip)
    if verdict == .admitted {
      address = client
      isCountedByAddress = true
    } else {
      core.counters.connectionsOverAddressLimit += 1
    }
    return verdict
  }
}

// TLS.
extension Connection {
  func shakeHands() {
    // Not before the first byte: who connects and says nothing costs no session.
    if transport.tls == nil {
      guard beginHandshake() else { return }
      noticeProxyInSocket()
      transport.tls = heads?.configuration?.certificate?.context.makeSession(on: socket)
    }
    guard let tls = transport.tls else { return abandon() }
    switch tls.shakeHands() {
    case .done:
      endHandshake()
      core.noteHandshake()
      if role == .client { askForUpgrade() } else { phase = .requestHead }
      if transport.hasPending { core.resumeLater(self) }
    case .wantsRead:
      break
    case .wantsWrite:
      awaitWritingToRead()
    case .isPlainHTTP:
      transport.tls = nil
      endHandshake()
      let answer = HTTPFailure.tlsExpected.response.serialized(keepAlive: false, headOnly: false)
      queue { bytes, _ in bytes += answer }
      linger()
    case .failed:
      abandon()
    }
  }
}
