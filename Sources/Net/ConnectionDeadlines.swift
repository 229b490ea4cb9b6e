// The effects of time on a connection: one timer, set for the earliest of its deadlines.
//
// On the shard's queue. An incoming message sets no timer. When the timer fires, the connection checks what has
// arrived since and sets the timer anew.
import WebSocket

/// The close codes that a connection itself gives, before any service is asked.
enum ConnectionCloseCode {
  static let tooSlow: UInt16 = 4002
  static let noPong: UInt16 = 4003
}

extension ConnectedPeer {
  /// The demands on a peer while messages flow.
  fileprivate enum Verdict {
    case fine
    /// The peer is to be asked for a pong.
    case ping
    case noPong
    /// A message has begun too long ago.
    case messageTooSlow
    case takesTooLittle
  }

  /// The time of the next `judge` that has something to do. While the service handles a message, the peer's answers are
  /// not read.
  fileprivate func deadline(_ limits: NetLimits, isSuspended: Bool) -> Timestamp {
    let keepaliveDeadline = isSuspended ? .distantFuture : keepalive.deadline(limits)
    return min(keepaliveDeadline, messageDeadline(limits), outbound.stallDeadline(limits))
  }

  fileprivate func judge(at now: Timestamp, _ limits: NetLimits, isSuspended: Bool) -> Verdict {
    if isTakingTooLittle(at: now, limits) { return .takesTooLittle }
    if now >= messageDeadline(limits) { return .messageTooSlow }
    if isSuspended { return .fine }
    return switch keepalive.judge(at: now, limits) {
    case .fine: .fine
    case .ping: .ping
    case .noPong: .noPong
    }
  }

  private func messageDeadline(_ limits: NetLimits) -> Timestamp {
    messageBegan == .distantFuture ? messageBegan : messageBegan.advanced(seconds: limits.messageSeconds)
  }
}

extension Connection {
  /// The earliest moment at which `timerFired` has something to do.
  private var nextDeadline: Timestamp {
    let limits = shard.limits
    var next = min(peer.serviceDeadline ?? .distantFuture, peer.pausedUntil ?? .distantFuture, stateDeadline)
    guard isOpen else { return next }
    next = min(next, readWaitDeadline)
    return min(next, peer.deadline(limits, isSuspended: lifecycle.state.isSuspended))
  }

  private var stateDeadline: Timestamp {
    lifecycle.deadline(shard.limits, hasUnsent: !peer.outbound.queue.isEmpty)
  }

  /// The time at which a read that waits for a write makes the connection too slow.
  private var readWaitDeadline: Timestamp {
    readAwaitsWritingSince?.advanced(seconds: shard.limits.stallSeconds) ?? .distantFuture
  }

  /// Sets the timer, unless it fires early enough already.
  func armTimer() {
    if isWatched, !isGone { timer.arm(for: token, at: nextDeadline, shard) }
  }

  func timerFired() {
    timer.fired()
    let now = shard.now
    if let pausedUntil = peer.pausedUntil, now >= pausedUntil { endPause() }
    if isOpen {
      judgeOpen(at: now)
    } else if now >= stateDeadline {
      stateTimedOut()
    }
    guard !isGone else { return }
    if let deadline = peer.serviceDeadline, now >= deadline {
      peer.serviceDeadline = nil
      service.deadlinePassed(self)
    }
    if isOpen, peer.role == .server, let microseconds = roundTripMicroseconds {
      service.measured(roundTripMicroseconds: microseconds, on: self)
    }
    armTimer()
  }

  private func judgeOpen(at now: Timestamp) {
    guard now < readWaitDeadline else { return giveUpAsTooSlow() }
    switch peer.judge(at: now, shard.limits, isSuspended: lifecycle.state.isSuspended) {
    case .fine: break
    case .ping: queue { FrameEncoder.appendPing(UnsafeRawBufferPointer(start: nil, count: 0), mask: $1, to: &$0) }
    case .noPong: dismiss(ConnectionCloseCode.noPong, "no pong")
    case .messageTooSlow: dismiss(CloseStatus.policyViolation, "the message took too long")
    case .takesTooLittle: giveUpAsTooSlow()
    }
  }

  private func stateTimedOut() {
    switch lifecycle.state {
    case .closing: linger()
    case .requestHead(let reading) where !reading.bytes.isEmpty && peer.outbound.queue.isEmpty:
      // A peer that has begun a head gets the reason. A silent one gets nothing: it may only have connected too early.
      HTTPExchange(self, reading).refuse(.requestTimeout)
    case .receivingBody(let reading, _):
      HTTPExchange(self, reading).refuse(.requestTimeout)
    default: giveUpUnsent()
    }
  }

  /// Ends the connection. A peer that has not taken the waiting bytes by now won't, and the kernel would keep trying
  /// for minutes.
  private func giveUpUnsent() {
    if !peer.outbound.queue.isEmpty { socket.discardWhenClosed() }
    abandon()
  }
}
