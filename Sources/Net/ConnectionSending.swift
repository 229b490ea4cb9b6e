// The sending side of a connection: one system call for a turn, or for a tick.
//
// On the shard's queue. Replies are queued and leave together at the end of the turn. A tick leaves at once, its
// shared bytes straight from the buffer in which they were framed for all. Writability is asked for only when the
// kernel is full.
import WebSocket

// Messages.
extension Connection {
  /// The number of bytes that wait for the kernel.
  package var unsentBytes: Int { peer.unsentBytes }

  /// Whether too many bytes wait: mergeable messages should be merged instead of sent.
  package var isBehind: Bool { peer.unsentBytes > shard.limits.behindBytes }

  package func compressFromBytes(_ kind: MessageKind) -> Int { shard.compressFromBytes(kind) }

  /// The shard's compressor for a window of two to the power of `windowBits`.
  package func deflater(windowBits: Int) -> Deflater { shard.deflater(windowBits: windowBits) }

  /// Sends one message at the end of this turn, a long one compressed if the peer accepts that. Does nothing when the
  /// connection is not open.
  package func send(_ kind: MessageKind, _ payload: UnsafeRawBufferPointer) {
    guard isOpen else { return }
    if payload.count >= shard.compressFromBytes(kind), let bits = peer.deflateWindowBits {
      queue { FrameEncoder.appendCompressed(kind, payload, by: shard.deflater(windowBits: bits), mask: $1, to: &$0) }
    } else {
      queue { FrameEncoder.append(kind, payload, mask: $1, to: &$0) }
    }
  }

  /// Sends one message in pieces at the end of this turn, unchanged. Does nothing when the connection is not open.
  package func send(_ kind: MessageKind, pieces: [[UInt8]], isCompressed: Bool) {
    guard isOpen else { return }
    queue { FrameEncoder.append(kind, pieces: pieces, isCompressed: isCompressed, mask: $1, to: &$0) }
  }

  /// Sends ready-made frames in one system call: first those shared by many, then those for this peer alone. Does
  /// nothing when the connection is not open.
  ///
  /// - Returns: whether the connection was open.
  @discardableResult
  package func send(frames shared: UnsafeRawBufferPointer, _ own: UnsafeRawBufferPointer) -> Bool {
    guard isOpen else { return false }
    guard shared.count + own.count > 0 else { return true }
    shard.counters.deliveries += 1
    guard peer.unsentBytes == 0 else {
      queue { bytes, _ in
        bytes.append(contentsOf: shared)
        bytes.append(contentsOf: own)
      }
      return true
    }
    let taken = transmit(shared, own)
    guard taken < shared.count + own.count else { return true }
    peer.queue(rest: shared, own, sentBytes: taken)
    awaitWritability()
    return true
  }
}

// Ending.
extension Connection {
  /// Begins the close handshake. Messages sent before are still delivered; nothing can be sent after.
  ///
  /// - Parameters:
  ///   - code: RFC 6455 §7.4, one that may be sent.
  ///   - reason: for the developer of the client; cut to 123 bytes.
  package func close(_ code: UInt16, _ reason: String) {
    switch lifecycle.close(code, at: shard.now) {
    case .handshake(let wasSuspended):
      armTimer()
      if wasSuspended { readOn() }
      queue(closeCode: code, reason: reason)
    case .abandon:
      abandon()
    case .nothing:
      break
    }
  }

  /// Closes without reading further bytes of the peer: for a peer that floods.
  package func dismiss(_ code: UInt16, _ reason: String) {
    close(code, reason)
    linger()
  }

  /// Nothing more is to be sent.
  func linger() {
    lifecycle.linger(at: shard.now)
    endSending()
  }

  /// Ends sending on a lingering connection when the queue is empty, and waits for the peer to end its side.
  func endSending() {
    guard case .lingering(let lingering) = lifecycle.state else { return }
    armTimer()
    guard peer.outbound.queue.isEmpty else { return }
    peer.transport.endSending()
    if lingering.hasPeerEnded { abandon() }
  }

  func giveUpAsTooSlow() {
    dismiss(ConnectionCloseCode.tooSlow, "too slow")
  }
}

// The queue.
extension Connection {
  func queue(closeCode code: UInt16?, reason: String) {
    queue { FrameEncoder.appendClose(code: code, reason: reason, mask: $1, to: &$0) }
  }

  /// Queues what `frame` appends, given the mask for a client's frame.
  func queue(_ frame: (_ bytes: inout [UInt8], _ mask: UInt32?) -> Void) {
    guard !isGone else { return }
    // A pattern and no `==`, which is a call for another module's enum.
    let mask: UInt32? = if case .client = peer.role { shard.drawMask() } else { nil }
    peer.queue(mask: mask, shard, frame)
    guard peer.outbound.isStalled else { return flushLater() }
    noteWaiting()
    checkLength()
  }

  private func flushLater() {
    guard !isFlushPending else { return }
    isFlushPending = true
    shard.flushLater(token)
  }

  /// Sends the queue at the end of a turn.
  func flush() {
    isFlushPending = false
    // No call may follow TLS's failure.
    guard !isGone || peer.transport.tls == nil else { return }
    guard peer.unsentBytes > 0, !peer.outbound.isStalled else { return }
    drain()
  }

  /// Continues to send on the shard that the peer has moved to.
  func resumeSending() {
    if peer.outbound.isStalled {
      shard.stalled.insert(token)
    } else if !peer.outbound.queue.isEmpty {
      flushLater()
    }
  }

  func becameWritable() {
    if readAwaitsWritingSince != nil {
      readAwaitsWritingSince = nil
      changeInterest()
      switch lifecycle.state {
      case .serverHandshake, .clientHandshake: break
      default: becameReadable()
      }
    }
    switch lifecycle.state {
    case .dialling(let asking): finishDialling(asking)
    case .serverHandshake, .clientHandshake: shakeHands()
    case .gone: break
    default: drain()
    }
  }

  private func drain() {
    let isSent = peer.sendQueue(shard) { transmit($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard isSent else { return awaitWritability() }
    if peer.outbound.isStalled {
      endStall()
      changeInterest()
    }
    switch lifecycle.state {
    case .lingering: linger()
    case .requestHead(let reading): HTTPExchange(self, reading).answerLeft()
    case .streamingAnswer(let reading, let stream):
      AnswerSending(connection: self, reading: reading, stream: stream).goOn()
    default: break
    }
  }

  /// Makes one system call; returns the number of bytes that the kernel took. An error ends the connection at the
  /// turn's end.
  private func transmit(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    shard.counters.sends += 1
    let outcome =
      if let tls = peer.transport.tls {
        tls.send(first, second, room: &shard.recordRoom)
      } else {
        peer.transport.socket.send(first, second)
      }
    switch outcome {
    case .bytes(let count):
      shard.counters.bytesOut += count
      return count
    case .wouldBlock, .blockedByWriting, .ended:
      return 0
    case .failed:
      abandon()
      return 0
    }
  }
}

// Waiting for the kernel.
extension Connection {
  private func awaitWritability() {
    guard !isGone else { return }
    let wasStalled = peer.outbound.isStalled
    noteWaiting()
    guard !wasStalled else { return }
    shard.stalled.insert(token)
    changeInterest()
    armTimer()
    checkLength()
  }

  private func noteWaiting() {
    let budget = shard.budgets.unsent
    if peer.noteWaiting(at: shard.now, budget), budget.isExceeded { owner.shedUnsentLater() }
  }

  func endStall() {
    peer.changeOutbound { $0.endStall(shard.budgets.unsent) }
    shard.stalled.remove(token)
  }

  private func checkLength() {
    if peer.outbound.isTooLong, isOpen { giveUpAsTooSlow() }
  }
}
