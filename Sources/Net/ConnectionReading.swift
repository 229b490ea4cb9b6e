// How a connection's bytes become messages.
//
// On the shard's thread. Bytes are parsed where they were read; only what a later read must complete is kept (a head's
// beginning in `heads`, a message's inside the decoder). A peer's bytes end its own connection at worst.
import WebSocket

extension Connection {
  func becameReadable() {
    switch phase {
    case .gone: return
    case .dialling: return becameWritable()
    case .proxyHeader: return readProxyHeader()
    case .tlsHandshake: return shakeHands()
    default: break
    }
    guard isReading, held.isEmpty else { return }
    let buffer = core.readBuffer
    core.counters.reads += 1
    switch transport.receive(into: buffer) {
    case .bytes(let count):
      core.counters.bytesIn += count
      lastReceived = core.now
      pingSent = nil
      consume(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      noteUnfinishedMessage()
      if !isGone, isReading, held.isEmpty, transport.hasPending { core.resumeLater(self) }
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

  /// TLS has something to write before it can read on: nothing is read until the kernel takes it.
  func awaitWritingToRead() {
    readAwaitsWriting = true
    readWaitBegan = core.now
    changeInterest()
    armTimer()
  }

  /// A message that has begun must end some time: who drips it holds memory for nothing.
  func noteUnfinishedMessage() {
    if !decoder.isMidMessage {
      messageBegan = .distantFuture
    } else if messageBegan == .distantFuture {
      messageBegan = core.now
      armTimer()
    }
  }

  /// The peer sends no more. Who asked by HTTP still gets the answer, as far as the kernel has not taken it yet or the service
  /// still owes it; a WebSocket without a close frame is broken.
  private func peerEnded() {
    let isOwed = heads?.unanswered != nil
    guard !queue.isEmpty || isOwed, phase == .requestHead || phase == .lingering else { return abandon() }
    hasPeerEnded = true
    changeInterest()
    if phase == .requestHead, !isOwed { linger() }
  }

  /// Takes all of `bytes`, unless the connection leaves this shard half-way: then the rest goes along; or its messages
  /// have used up the turn, or the service is still at one of them: then the rest is held, and nothing is read before.
  func consume(_ bytes: UnsafeMutableRawBufferPointer) {
    var offset = 0
    isConsuming = true
    defer { isConsuming = false }
    while offset < bytes.count, departure == nil {
      if isSuspended, phase == .open {
        held = Array(bytes[offset...])
        return
      }
      if offset > 0, phase == .open, core.isTurnOver {
        held = Array(bytes[offset...])
        return core.resumeLater(self)
      }
      switch phase {
      case .requestHead: consumeRequestHead(bytes, &offset)
      case .responseHead: consumeResponseHead(bytes, &offset)
      case .open, .closing: consumeMessage(bytes, &offset)
      case .dialling, .proxyHeader, .tlsHandshake, .lingering, .gone: return
      }
    }
    if let departure { depart(departure, unread: Array(bytes[offset...])) }
  }

  /// Goes on with what an earlier turn had no time for.
  func resumeHeld() {
    var bytes = held
    held = []
    bytes.withUnsafeMutableBytes { consume($0) }
    noteUnfinishedMessage()
  }

  private func consumeMessage(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    do throws(WebSocketError) {
      guard let item = try decoder.next(in: bytes, offset: &offset, inflater: core.inflater) else { return }
      switch item {
      case .message(let kind, let payload):
        core.counters.messagesIn += 1
        messageBegan = .distantFuture
        if isOpen { core.service.received(kind, payload, on: self) }
      case .ping(let payload):
        guard countControlFrame(), isOpen else { return }
        core.counters.pingsAnswered += 1
        queue { FrameEncoder.appendPong(payload, mask: $1, to: &$0) }
      case .pong:
        _ = countControlFrame()
      case .close(let frame):
        peerClosed(frame)
      }
    } catch {
      close(error.closeCode, error.reason)
      linger()
    }
  }

  /// False when it was one too many and the connection is closed for it.
  private func countControlFrame() -> Bool {
    if core.now >= controlSecondBegan.advanced(seconds: 1) {
      controlSecondBegan = core.now
      controlFrames = 0
    }
    controlFrames += 1
    guard controlFrames > core.limits.controlFramesPerSecondMax else { return true }
    close(CloseStatus.policyViolation, "too many pings")
    linger()
    return false
  }

  private func peerClosed(_ frame: CloseFrame) {
    closeCode = closeCode ?? frame.code
    if closeHandshake.receivedClose() {
      // The peer's own code goes back; a close without one is answered without one.
      queue(closeCode: frame.code, reason: "")
    }
    linger()
  }
}
