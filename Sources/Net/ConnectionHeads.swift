// How a connection's bytes become requests, before messages flow.
//
// On the shard's thread. Of requests that come in one piece the next is looked at in a later turn, when the answer to the
// one before has been sent: nobody can make the server draw or hold more than one answer.
import WebSocket

extension Connection {
  /// Goes on with requests that came behind one whose answer has been sent meanwhile.
  func resumeRequests() {
    guard let heads, heads.holdsRequests, queue.isEmpty, heads.unanswered == nil, pausedUntil == nil else { return }
    var kept = heads.bytes
    heads.bytes = []
    heads.holdsRequests = false
    kept.withUnsafeMutableBytes { consume($0) }
  }

  var hasRequestsLeft: Bool { phase == .requestHead && heads?.holdsRequests == true }

  /// Keeps what comes while an answer is still to be sent, up to twice the longest head.
  private func keepForLater(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    guard let heads else { return }
    heads.holdsRequests = true
    heads.bytes.append(contentsOf: bytes[offset...])
    offset = bytes.count
    if heads.bytes.count > 2 * HeadLimits().bytesMax { abandon() }
  }

  func consumeRequestHead(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    guard let heads else { preconditionFailure("whoever awaits a head keeps what has come of it") }
    guard queue.isEmpty, !heads.holdsRequests, heads.unanswered == nil else { return keepForLater(bytes, &offset) }
    if isPaced {
      let wait = heads.pace.waitMicroseconds(at: core.now)
      guard wait == 0 else {
        // Nothing more is read meanwhile, which slows the peer down.
        pauseReading(until: Timestamp(microseconds: core.now.microseconds + wait))
        return keepForLater(bytes, &offset)
      }
    }
    do throws(HTTPFailure) {
      let head = try heads.gather(bytes, &offset) { (all) throws(HTTPFailure) in try heads.requestParser.parse(all) }
      guard let head else { return }
      heads.requestParser = RequestHeadParser(limits: HeadLimits())
      heads.hasAsked = true
      noticeProxy(by: head)
      let client = clientAddress(of: head)
      let isUpgrade = Upgrade.isRequested(by: head)
      try countRequest(from: client.ip, in: isUpgrade ? core.budgets.upgrades : core.budgets.requests)
      if isUpgrade { return try upgrade(head, from: client) }
      heads.unanswered = head
      // The time for the answer begins now.
      enter(.requestHead)
      guard !core.service.answersLater(head, from: client, on: self) else { return }
      answer(core.service.respond(to: head, from: client))
    } catch {
      noticeProxy(byFirst: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      heads.bytes.withUnsafeBytes { noticeProxy(byFirst: $0) }
      // Where the next request would begin is not known after a bad one.
      refuse(error)
    }
  }

  /// Answers the request that waits for it; does nothing when the connection has ended meanwhile.
  package func answer(_ response: HTTPResponse) {
    guard phase == .requestHead, let head = heads?.unanswered else { return }
    heads?.unanswered = nil
    respond(response, to: head)
  }

  /// Answers with what is wrong and ends.
  func refuse(_ failure: HTTPFailure) {
    heads?.bytes = []
    queue(failure.response, keepAlive: false, headOnly: false)
    linger()
  }

  /// Queues a response. Over TLS browsers are told to come back by TLS alone, for a year (RFC 6797): an attacker between
  /// could answer a first request without it.
  private func queue(_ response: HTTPResponse, keepAlive: Bool, headOnly: Bool) {
    var response = response
    if transport.tls != nil { response.headers.append(HeaderField("Strict-Transport-Security", "max-age=31536000")) }
    queue { bytes, _ in bytes += response.serialized(keepAlive: keepAlive, headOnly: headOnly) }
  }

  /// Whether requests on this connection have a pace of their own. A trusted proxy's connection carries those of many.
  private var isPaced: Bool { isCountedByAddress && (core.limits.limitsLoopback || !address.ip.isLoopback) }

  private func countRequest(from client: IPAddress, in quota: RequestQuota) throws(HTTPFailure) {
    if isPaced { _ = heads?.pace.take(at: core.now) }
    guard case .refused(let seconds) = quota.admit(client, at: core.now) else { return }
    throw .tooManyRequests(retryAfterSeconds: seconds)
  }

  /// Whose request it is: the peer's own, or that of the client that trusted proxies name.
  private func clientAddress(of head: RequestHead) -> SocketAddress {
    // Where the PROXY protocol is spoken nobody has looked at the header that a client may have written.
    guard !isCountedByAddress, let configuration = heads?.configuration, !configuration.expectsProxyHeader else {
      return address
    }
    let proxies = configuration.trustedProxies
    let values = head.values(of: "X-Forwarded-For")
    guard !values.isEmpty else { return address }
    let client = proxies.clientAddress(peer: address.ip, forwardedFor: values)
    return client == address.ip ? address : SocketAddress(ip: client, port: 0)
  }

  private func upgrade(_ head: RequestHead, from client: SocketAddress) throws(HTTPFailure) {
    guard identify(as: client) == .admitted else { throw .tooManyRequests(retryAfterSeconds: 60) }
    switch core.service.admit(head, on: self) {
    case .refused(let response):
      respond(response, to: head, keepsAlive: false)
    case .webSocket(let subprotocols, let messageBytesMax, let compresses):
      let upgrade = try Upgrade.accept(head, subprotocols: subprotocols, compresses: compresses)
      let compression = upgrade.compression
      subprotocol = upgrade.subprotocol
      deflateWindowBits = compression?.serverWindowBits
      decoder = MessageDecoder(role: .server, messageBytesMax: messageBytesMax, compression: compression != nil)
      queue { bytes, _ in bytes += upgrade.response }
      heads = nil
      enter(.open)
      isKnownToService = true
      core.service.opened(self)
    }
  }

  private func respond(_ response: HTTPResponse, to head: RequestHead, keepsAlive: Bool = true) {
    let keepAlive = keepsAlive && head.keepsAlive && !response.isLast && !hasPeerEnded
    queue(response, keepAlive: keepAlive, headOnly: head.method == "HEAD")
    heads?.answerSeconds = Int64(queue.count / core.limits.answerBytesPerSecondMin)
    if keepAlive { enter(.requestHead) } else { linger() }
  }

  func consumeResponseHead(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    guard let heads, let request = heads.request else { preconditionFailure("a client knows what it asked for") }
    do throws(UpgradeFailure) {
      let head = try heads.gather(bytes, &offset) { (all) throws(UpgradeFailure) in try heads.responseParser.parse(all)
      }
      guard let head else { return }
      let (subprotocol, compression) = try request.check(head)
      self.subprotocol = subprotocol
      if let compression {
        deflateWindowBits = compression.clientWindowBits
        decoder = MessageDecoder(role: .client, messageBytesMax: decoder.messageBytesMax, compression: true)
      }
      self.heads = nil
      enter(.open)
      core.service.opened(self)
    } catch {
      abandon()
    }
  }
}

extension HeadReading {
  /// Calls `parse` with all bytes of the head so far; keeps them when they are not enough.
  fileprivate func gather<Head, Failure: Error>(
    _ piece: UnsafeMutableRawBufferPointer,
    _ offset: inout Int,
    parse: (UnsafeRawBufferPointer) throws(Failure) -> (head: Head, byteCount: Int)?
  ) throws(Failure) -> Head? {
    let rest = UnsafeRawBufferPointer(rebasing: piece[offset...])
    let kept = bytes.count
    let parsed: (head: Head, byteCount: Int)?
    if kept == 0 {
      parsed = try parse(rest)
    } else {
      bytes.append(contentsOf: rest)
      let result: Result<(head: Head, byteCount: Int)?, Failure> = bytes.withUnsafeBytes { all in
        do throws(Failure) {
          return .success(try parse(all))
        } catch {
          return .failure(error)
        }
      }
      parsed = try result.get()
    }
    guard let parsed else {
      if kept == 0 { bytes.append(contentsOf: rest) }
      offset = piece.count
      return nil
    }
    offset += parsed.byteCount - kept
    bytes = []
    return parsed.head
  }
}
