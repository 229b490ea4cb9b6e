// The receiving side of a connection: bytes become messages.
//
// On the shard's queue. Bytes are parsed where they were read. Only an unfinished part is kept: the beginning of a
// head in its state, that of a message in the decoder. A peer's bytes end its own connection at worst.
import WebSocket

extension Connection {
  func becameReadable() {
    switch lifecycle.state {
    case .gone: return
    case .dialling: return becameWritable()
    case .proxyHeader(let reading): return ProxyHeaderTaking(connection: self, reading: reading).goOn()
    case .serverHandshake, .clientHandshake: return shakeHands()
    default: break
    }
    guard isReading, peer.held.isEmpty else { return }
    let buffer = shard.readBuffer
    shard.counters.reads += 1
    switch peer.transport.receive(into: buffer) {
    case .bytes(let count):
      shard.counters.bytesIn += count
      peer.keepalive.heard(at: shard.now)
      consume(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      noteUnfinishedMessage()
      // More may wait than one read takes.
      if count == buffer.count, isToldOnce { changeInterest() }
      if !isGone, isReading, peer.held.isEmpty, peer.transport.hasPending { resumeLater() }
    case .wouldBlock:
      break
    case .blockedByWriting:
      awaitWritingToRead()
    case .ended:
      peerEnded()
    case .failed:
      abandon()
    }
  }

  /// Goes on with bytes left from an earlier turn that readiness won't report.
  func resume() {
    guard !isGone, !lifecycle.state.isSuspended else { return }
    // Earlier bytes go first. An arrival that was reported meanwhile has not been read.
    if !peer.held.isEmpty {
      resumeHeld()
      if isToldOnce, peer.held.isEmpty { changeInterest() }
    }
    if case .requestHead(let reading) = lifecycle.state { HTTPExchange(self, reading).resume() }
    if !isGone, peer.held.isEmpty, peer.transport.hasPending { becameReadable() }
  }

  /// TLS must write before it can read on: nothing is read until the kernel takes it.
  func awaitWritingToRead() {
    readAwaitsWritingSince = shard.now
    changeInterest()
    armTimer()
  }

  /// An unfinished message has a deadline: a peer that drips it would hold memory for nothing.
  private func noteUnfinishedMessage() {
    guard !endedWithMessage else { return }
    if !peer.decoder.isMidMessage {
      peer.messageBegan = .distantFuture
    } else if peer.messageBegan == .distantFuture {
      peer.messageBegan = shard.now
      armTimer()
    }
  }

  private func peerEnded() {
    guard lifecycle.peerEnded(hasUnsent: !peer.outbound.queue.isEmpty, at: shard.now) else { return abandon() }
    changeInterest()
    armTimer()
  }

  /// Takes all of `bytes`, with two exceptions. A connection that leaves this shard half-way takes the rest along. If
  /// its messages have used up the turn, or the service still handles one, the rest is held, and nothing is read before
  /// it.
  func consume(_ bytes: UnsafeMutableRawBufferPointer) {
    var offset = 0
    isConsuming = true
    endedWithMessage = false
    defer { isConsuming = false }
    loop: while offset < bytes.count {
      switch lifecycle.state {
      case .open:
        if offset > 0, shard.isTurnOver {
          peer.held = Array(bytes[offset...])
          return resumeLater()
        }
        consumeMessage(bytes, &offset, isOpen: true)
      case .closing:
        consumeMessage(bytes, &offset, isOpen: false)
      case .suspended:
        peer.held = Array(bytes[offset...])
        return
      case .departing:
        break loop
      case .requestHead(let reading):
        HTTPExchange(self, reading).consume(bytes, &offset)
      case .awaitingAnswer(let reading, _, _), .streamingAnswer(let reading, _):
        HTTPExchange(self, reading).keepForLater(bytes, &offset)
      case .receivingBody(let reading, let body):
        BodyReceiving(connection: self, reading: reading, body: body).consume(bytes, &offset)
      case .responseHead(let asking):
        UpgradeAnswering(connection: self, asking: asking).consume(bytes, &offset)
      case .dialling, .proxyHeader, .serverHandshake, .clientHandshake, .lingering, .gone:
        return
      }
    }
    if case .departing = lifecycle.state { depart(unread: Array(bytes[offset...])) }
  }

  /// Goes on with bytes that an earlier turn had no time for.
  func resumeHeld() {
    var bytes = peer.held
    peer.held = []
    bytes.withUnsafeMutableBytes { consume($0) }
    noteUnfinishedMessage()
  }

  /// Takes one message or control frame; a closing connection takes only control frames.
  private func consumeMessage(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int, isOpen: Bool) {
    endedWithMessage = false
    do throws(WebSocketError) {
      guard let item = try peer.decoder.next(in: bytes, offset: &offset, inflater: shard.inflater) else { return }
      switch item {
      case .message(let kind, let payload):
        shard.counters.messagesIn += 1
        peer.messageBegan = .distantFuture
        endedWithMessage = true
        mayWait = false
        if isOpen { service.received(kind, payload, on: self) }
      case .ping(let payload):
        guard countControlFrame(), isOpen else { return }
        shard.counters.pingsAnswered += 1
        queue { FrameEncoder.appendPong(payload, mask: $1, to: &$0) }
      case .pong:
        _ = countControlFrame()
      case .close(let frame):
        peerClosed(frame)
      }
    } catch {
      dismiss(error.closeCode, error.reason)
    }
  }

  /// False when the frame was one too many and the connection is closed for it.
  private func countControlFrame() -> Bool {
    let isAdmitted = peer.controlFrames.admit(at: shard.now, perSecondMax: shard.limits.controlFramesPerSecondMax)
    if !isAdmitted { dismiss(CloseStatus.policyViolation, "too many pings") }
    return isAdmitted
  }

  private func peerClosed(_ frame: CloseFrame) {
    // The peer's own code goes back. A close without a code is answered without one.
    if lifecycle.peerClosed(frame.code, at: shard.now) { queue(closeCode: frame.code, reason: "") }
    endSending()
  }
}
