// How a connection's bytes become requests and messages.
//
// On the shard's queue. Bytes are parsed where they were read; only what a later read must complete is kept (a head's
// beginning here, a message's inside the decoder). A peer's bytes end its own connection at worst. Of requests that come
// in one piece the next is looked at in a later turn, when the answer to the one before has been sent: nobody can make the
// server draw or hold more than one answer.
import WebSocket

extension Connection {
  func becameReadable() {
    switch phase {
    case .gone: return
    case .dialling: return becameWritable()
    default: break
    }
    let buffer = core.readBuffer
    core.counters.reads += 1
    switch socket.receive(into: buffer) {
    case .bytes(let count):
      core.counters.bytesIn += count
      lastReceived = core.now
      pingSent = nil
      consume(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    case .wouldBlock:
      break
    case .ended, .failed:
      abandon()
    }
  }

  /// Takes all of `bytes`, unless the connection leaves this shard half-way: then the rest goes along.
  func consume(_ bytes: UnsafeMutableRawBufferPointer) {
    var offset = 0
    while offset < bytes.count, departure == nil {
      switch phase {
      case .requestHead: consumeRequestHead(bytes, &offset)
      case .responseHead(let request): consumeResponseHead(request, bytes, &offset)
      case .open, .closing: consumeMessage(bytes, &offset)
      case .dialling, .lingering, .gone: return
      }
    }
    if let departure { depart(departure, unread: Array(bytes[offset...])) }
  }

  private func consumeMessage(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    do throws(WebSocketError) {
      guard let item = try decoder.next(in: bytes, offset: &offset) else { return }
      switch item {
      case .message(let kind, let payload):
        core.counters.messagesIn += 1
        if isOpen { core.service.received(kind, payload, on: self) }
      case .ping(let payload):
        if countControlFrame(), isOpen { queue { FrameEncoder.appendPong(payload, mask: $1, to: &$0) } }
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

// Heads.
extension Connection {
  /// Goes on with requests that came behind one whose answer has been sent meanwhile.
  func resumeRequests() {
    guard case .requestHead = phase, queue.isEmpty else { return }
    var kept = headBytes
    headBytes = []
    kept.withUnsafeMutableBytes { consume($0) }
  }

  /// Keeps what comes while an answer is still to be sent, up to twice the longest head.
  private func keepForLater(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    headBytes.append(contentsOf: bytes[offset...])
    offset = bytes.count
    if headBytes.count > 2 * HeadLimits().bytesMax { abandon() }
  }

  /// Calls `parse` with all bytes of the head so far; keeps them when they are not enough.
  private func gatherHead<Head, Failure: Error>(
    _ bytes: UnsafeMutableRawBufferPointer,
    _ offset: inout Int,
    parse: (UnsafeRawBufferPointer) throws(Failure) -> (head: Head, byteCount: Int)?
  ) throws(Failure) -> Head? {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
    let kept = headBytes.count
    let parsed: (head: Head, byteCount: Int)?
    if kept == 0 {
      parsed = try parse(rest)
    } else {
      headBytes.append(contentsOf: rest)
      let result: Result<(head: Head, byteCount: Int)?, Failure> = headBytes.withUnsafeBytes { all in
        do throws(Failure) {
          return .success(try parse(all))
        } catch {
          return .failure(error)
        }
      }
      parsed = try result.get()
    }
    guard let parsed else {
      if kept == 0 { headBytes.append(contentsOf: rest) }
      offset = bytes.count
      return nil
    }
    offset += parsed.byteCount - kept
    headBytes = []
    return parsed.head
  }

  private func consumeRequestHead(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    guard queue.isEmpty else { return keepForLater(bytes, &offset) }
    do throws(HTTPFailure) {
      let head = try gatherHead(bytes, &offset) { (all) throws(HTTPFailure) in try requestParser.parse(all) }
      guard let head else { return }
      requestParser = RequestHeadParser(limits: HeadLimits())
      if Upgrade.isRequested(by: head) {
        try upgrade(head)
      } else {
        respond(core.service.respond(to: head, from: address), to: head)
      }
    } catch {
      // Where the next request would begin is not known after a bad one.
      queue { bytes, _ in bytes += error.response.serialized(keepAlive: false, headOnly: false) }
      linger()
    }
  }

  private func upgrade(_ head: RequestHead) throws(HTTPFailure) {
    switch core.service.admit(head, on: self) {
    case .refused(let response):
      respond(response, to: head, keepsAlive: false)
    case .webSocket(let subprotocols, let messageBytesMax):
      let upgrade = try Upgrade.accept(head, subprotocols: subprotocols)
      subprotocol = upgrade.subprotocol
      decoder = MessageDecoder(role: .server, messageBytesMax: messageBytesMax)
      queue { bytes, _ in bytes += upgrade.response }
      enter(.open)
      isKnownToService = true
      core.service.opened(self)
    }
  }

  private func respond(_ response: HTTPResponse, to head: RequestHead, keepsAlive: Bool = true) {
    let keepAlive = keepsAlive && head.keepsAlive
    queue { bytes, _ in
      bytes += response.serialized(keepAlive: keepAlive, headOnly: head.method == "HEAD")
    }
    if keepAlive { enter(.requestHead) } else { linger() }
  }

  private func consumeResponseHead(
    _ request: UpgradeRequest,
    _ bytes: UnsafeMutableRawBufferPointer,
    _ offset: inout Int
  ) {
    do throws(UpgradeFailure) {
      let head = try gatherHead(bytes, &offset) { (all) throws(UpgradeFailure) in try responseParser.parse(all) }
      guard let head else { return }
      subprotocol = try request.check(head)
      enter(.open)
      core.service.opened(self)
    } catch {
      abandon()
    }
  }
}
