// The HTTP part of a server's connection, before messages flow: bytes become requests and are answered.
//
// A view of one connection, made where it is used, on the shard's queue. Of requests that come in one piece, the next
// is handled in a later turn, after the previous answer has been sent. So no client can make the server draw up or hold
// more than one answer.
import WebSocket

struct HTTPExchange {
  let connection: Connection
  let reading: RequestReading

  init(_ connection: Connection, _ reading: RequestReading) {
    self.connection = connection
    self.reading = reading
  }

  private var peer: ConnectedPeer { connection.peer }
  private var shard: ShardResources { connection.shard }
  private var service: any ShardService { connection.service }
}

// Requests.
extension HTTPExchange {
  /// Goes on with requests behind one whose answer has been sent meanwhile.
  func resume() {
    guard reading.holdsRequests, peer.outbound.queue.isEmpty, peer.pausedUntil == nil else { return }
    var kept = reading.takeKept()
    kept.withUnsafeMutableBytes { connection.consume($0) }
  }

  /// Keeps bytes that come while an answer is still to be sent.
  func keepForLater(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int, isLast: Bool = false) {
    if !reading.keep(bytes, &offset, isLast: isLast) { connection.abandon() }
  }

  func consume(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    guard peer.outbound.queue.isEmpty, !reading.holdsRequests else { return keepForLater(bytes, &offset) }
    if connection.isHeldToAddressLimits {
      let wait = reading.pace.waitMicroseconds(at: shard.now)
      guard wait == 0 else {
        // Nothing more is read meanwhile, which slows the peer down.
        connection.pauseReading(until: Timestamp(microseconds: shard.now.microseconds + wait))
        return keepForLater(bytes, &offset, isLast: true)
      }
    }
    let search = UndeclaredProxySearch(connection, reading.configuration)
    do throws(HTTPFailure) {
      guard let head = try reading.next(in: bytes, &offset) else { return }
      search.search(in: head)
      try take(head)
    } catch {
      search.search(at: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      reading.bytes.withBytes { search.search(at: $0) }
      // The start of the next request is unknown after a bad one.
      refuse(error)
    }
  }

  private func take(_ head: RequestHead) throws(HTTPFailure) {
    let address = peer.address
    let client = peer.isCountedByAddress ? address : reading.client(of: head, from: address)
    if Upgrade.isRequested(by: head) {
      try count(client.ip, in: shard.budgets.upgrades)
      try upgrade(head, from: client)
    } else if head.bringsBody {
      try count(client.ip, in: shard.budgets.requests)
      BodyReceiving.begin(head, service.admitBody(of: head, from: client, on: connection), on: connection, reading)
    } else {
      try count(client.ip, in: shard.budgets.requests)
      connection.lifecycle.requested(head, at: shard.now)
      connection.armTimer()
      guard !service.answersLater(head, from: client, on: connection) else { return }
      connection.answer(service.respond(to: head, from: client))
    }
  }

  private func count(_ client: IPAddress, in quota: RequestQuota) throws(HTTPFailure) {
    if connection.isHeldToAddressLimits { _ = reading.pace.take(at: shard.now) }
    guard case .refused(let seconds) = quota.admit(client, at: shard.now) else { return }
    throw .tooManyRequests(retryAfterSeconds: seconds)
  }

  private func upgrade(_ head: RequestHead, from client: SocketAddress) throws(HTTPFailure) {
    guard connection.identify(as: client) == .admitted else { throw .tooManyRequests(retryAfterSeconds: 60) }
    let admission = service.admit(head, on: connection)
    // The service may have ended the connection.
    guard !connection.isGone else { return }
    switch admission {
    case .refused(let response):
      respond(response, to: head, keepsAlive: false)
    case .webSocket(let subprotocols, let messageBytesMax, let compresses):
      let upgrade = try Upgrade.accept(head, subprotocols: subprotocols, compresses: compresses)
      let compression = upgrade.compression
      peer.subprotocol = upgrade.subprotocol
      peer.deflateWindowBits = compression?.serverWindowBits
      peer.decoder = MessageDecoder(
        role: .server,
        messageBytesMax: messageBytesMax,
        compression: compression != nil
      )
      connection.queue { bytes, _ in bytes += upgrade.response }
      connection.open()
    }
  }
}

// Answers.
extension HTTPExchange {
  func respond(_ response: HTTPResponse, to head: RequestHead, keepsAlive: Bool) {
    let keepAlive = keepsAlive && head.keepsAlive && !response.isLast
    queue(response, keepAlive: keepAlive, headOnly: head.method == "HEAD")
    end(keepAlive: keepAlive)
  }

  /// The answer is queued: the next request may come, or the connection ends.
  func end(keepAlive: Bool) {
    reading.serviceSeconds = 0
    reading.answerSeconds = Int64(connection.unsentBytes / shard.limits.answerBytesPerSecondMin)
    guard keepAlive else { return connection.linger() }
    connection.lifecycle.answered(at: shard.now)
    connection.armTimer()
  }

  /// Queues the head of a response whose body follows in pieces.
  func queueHead(_ response: HTTPResponse, keepAlive: Bool) {
    queue(response, keepAlive: keepAlive, headOnly: true)
  }

  /// Answers with the error and ends.
  func refuse(_ failure: HTTPFailure) {
    queue(failure.response, keepAlive: false, headOnly: false)
    connection.linger()
  }

  /// The answer has been sent. The next request's time begins when a long answer has left.
  func answerLeft() {
    if reading.answerSeconds > 0 {
      connection.lifecycle.answerLeft(at: shard.now)
      connection.armTimer()
    }
    if reading.holdsRequests { connection.resumeLater() }
  }

  /// Queues a response. Over TLS, browsers are asked to return by TLS alone, for a year (RFC 6797): an attacker between
  /// could answer a first request without it.
  private func queue(_ response: HTTPResponse, keepAlive: Bool, headOnly: Bool) {
    var response = response
    if peer.transport.tls != nil {
      response.headers.append(HeaderField("Strict-Transport-Security", "max-age=31536000"))
    }
    connection.queue { bytes, _ in bytes += response.serialized(keepAlive: keepAlive, headOnly: headOnly) }
  }
}

extension Connection {
  /// Answers the waiting request; does nothing when the connection has ended meanwhile.
  /// A request whose body still comes is answered too; then the connection ends.
  package func answer(_ response: HTTPResponse) {
    switch lifecycle.state {
    case .awaitingAnswer(let reading, let head, let hasPeerEnded):
      HTTPExchange(self, reading).respond(response, to: head, keepsAlive: !hasPeerEnded)
    case .receivingBody(let reading, let body):
      HTTPExchange(self, reading).respond(response, to: body.head, keepsAlive: false)
      // The rest of a body that was not read is read and dropped, so that the peer sees the answer.
      changeInterest()
      if peer.transport.hasPending { resumeLater() }
    default: break
    }
  }
}
