// How a connection's bytes leave: one system call for a turn, or for a tick.
//
// On the shard's thread. Replies are queued and leave together at the end of the turn; a tick leaves at once, its shared
// bytes straight from where they were framed for all. Writability is asked for only when the kernel is full.
import WebSocket

extension Connection {
  /// How many bytes wait for the kernel to take them.
  package var unsentBytes: Int { queue.count }

  /// Too many bytes wait: what can be merged should be, instead of being sent.
  package var isBehind: Bool { queue.count > core.limits.behindBytes }

  /// Sends one message at the end of this turn, long text compressed if the peer takes that. Does nothing when the connection is not open.
  package func send(_ kind: MessageKind, _ payload: UnsafeRawBufferPointer) {
    guard isOpen else { return }
    if kind == .text, payload.count >= core.limits.compressFromBytes, let bits = deflateWindowBits {
      queue { FrameEncoder.appendCompressed(kind, payload, by: core.deflater(windowBits: bits), mask: $1, to: &$0) }
    } else {
      queue { FrameEncoder.append(kind, payload, mask: $1, to: &$0) }
    }
  }

  /// From which length on text is compressed for a peer that takes it.
  package var compressFromBytes: Int { core.limits.compressFromBytes }

  /// The shard's compressor for a window of two to the power of `windowBits`.
  package func deflater(windowBits: Int) -> Deflater { core.deflater(windowBits: windowBits) }

  /// Sends one message in pieces at the end of this turn, as they are. Does nothing when the connection is not open.
  package func send(_ kind: MessageKind, pieces: [[UInt8]], isCompressed: Bool) {
    guard isOpen else { return }
    queue { FrameEncoder.append(kind, pieces: pieces, isCompressed: isCompressed, mask: $1, to: &$0) }
  }

  /// Sends frames that are made already, in one system call: those that many share, then those for this peer alone.
  /// Does nothing when the connection is not open.
  ///
  /// - Returns: whether the connection was open.
  @discardableResult
  package func send(frames shared: UnsafeRawBufferPointer, _ own: UnsafeRawBufferPointer) -> Bool {
    guard isOpen else { return false }
    guard shared.count + own.count > 0 else { return true }
    core.counters.deliveries += 1
    guard queue.isEmpty else {
      queue { bytes, _ in
        bytes.append(contentsOf: shared)
        bytes.append(contentsOf: own)
      }
      return true
    }
    let taken = transmit(shared, own)
    noteLength(shared.count + own.count)
    if taken < shared.count { queue.append(UnsafeRawBufferPointer(rebasing: shared[taken...])) }
    if taken < shared.count + own.count {
      queue.append(UnsafeRawBufferPointer(rebasing: own[max(0, taken - shared.count)...]))
      awaitWritability()
    }
    return true
  }

  /// Begins the close handshake. What was sent before is still delivered; nothing can be sent after.
  ///
  /// - Parameters:
  ///   - code: RFC 6455 §7.4, one that may be sent.
  ///   - reason: for the developer of the client; cut to 123 bytes.
  package func close(_ code: UInt16, _ reason: String) {
    switch phase {
    case .open:
      closeCode = closeCode ?? code
      enter(.closing)
      // What waits behind the message that the service is still at is read to be dropped.
      goOn()
      if closeHandshake.start() { queue(closeCode: code, reason: reason) }
    case .dialling, .proxyHeader, .tlsHandshake, .responseHead, .requestHead:
      abandon()
    case .closing, .lingering, .gone:
      break
    }
  }

  /// Closes without reading what the peer still says: for who floods.
  package func dismiss(_ code: UInt16, _ reason: String) {
    close(code, reason)
    linger()
  }

  /// Nothing more is to be sent: ends our direction when the queue is empty and waits for the peer to end its own.
  func linger() {
    guard !isGone else { return }
    enter(.lingering)
    guard queue.isEmpty else { return }
    transport.endSending()
    if hasPeerEnded { abandon() }
  }

  func queue(closeCode code: UInt16?, reason: String) {
    queue { FrameEncoder.appendClose(code: code, reason: reason, mask: $1, to: &$0) }
  }

  /// Queues what `frame` appends, given the mask for a client's frame.
  func queue(_ frame: (_ bytes: inout [UInt8], _ mask: UInt32?) -> Void) {
    guard !isGone else { return }
    if queue.isWithoutBuffer { queue.lend(core.takeBuffer()) }
    let (before, wasBehind) = (queue.count, isBehind)
    frame(&queue.bytes, role == .client ? core.drawMask() : nil)
    if !wasBehind { noteLength(queue.count - before) }
    guard !awaitsWritability else {
      noteWaiting()
      return checkLength()
    }
    guard !isFlushPending else { return }
    isFlushPending = true
    core.flushLater(self)
  }

  /// At the end of a turn.
  func flush() {
    isFlushPending = false
    // No call may follow TLS's failure.
    guard !isGone || transport.tls == nil else { return }
    guard !awaitsWritability, !queue.isEmpty else { return }
    drain()
  }

  func becameWritable() {
    if readAwaitsWriting {
      readAwaitsWriting = false
      changeInterest()
      if phase != .tlsHandshake { becameReadable() }
    }
    switch phase {
    case .dialling: finishDialling()
    case .tlsHandshake: shakeHands()
    case .gone: break
    default: drain()
    }
  }

  private func drain() {
    let count = queue.count
    let taken = queue.withUnsent { transmit($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    queue.drop(taken)
    longMessageBytes = min(longMessageBytes, queue.count)
    if taken < count {
      stall?.handedOver += taken
      return awaitWritability()
    }
    core.giveBack(queue.takeBuffer())
    if awaitsWritability {
      awaitsWritability = false
      endStall()
      changeInterest()
    }
    if phase == .lingering { linger() }
    // The next request has its time from when the answer has left.
    if phase == .requestHead, heads?.answerSeconds ?? 0 > 0 { enter(.requestHead) }
    if hasRequestsLeft { core.resumeLater(self) }
  }

  /// One system call; how many bytes the kernel took. An error ends the connection at the end of the turn.
  private func transmit(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    core.counters.sends += 1
    switch transport.send(first, second, room: &core.recordRoom) {
    case .bytes(let count):
      core.counters.bytesOut += count
      return count
    case .wouldBlock, .blockedByWriting, .ended:
      return 0
    case .failed:
      abandon()
      return 0
    }
  }

  private func awaitWritability() {
    guard !isGone else { return }
    noteWaiting()
    guard !awaitsWritability else { return }
    awaitsWritability = true
    changeInterest()
    armTimer()
    checkLength()
  }

  /// A message comes to a connection that is not behind.
  private func noteLength(_ bytes: Int) {
    if bytes > unsentBytesMax { longMessageBytes = bytes }
  }

  private func checkLength() {
    if queue.count - longMessageBytes > unsentBytesMax, isOpen { giveUpAsTooSlow() }
  }

  func giveUpAsTooSlow() {
    close(ConnectionCloseCode.tooSlow, "too slow")
    linger()
  }
}
