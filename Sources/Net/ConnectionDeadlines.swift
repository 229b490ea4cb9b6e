// What time alone does to a connection: one timer, set for the earliest of its deadlines.
//
// On the shard's thread. A message that comes in sets no timer: when the timer fires, what has come since is looked at and
// the timer set anew.
// Decisions: 005 (docs/decisions).
import WebSocket

/// The close codes that a connection itself gives, before any service is asked.
enum ConnectionCloseCode {
  static let tooSlow: UInt16 = 4002
  static let noPong: UInt16 = 4003
}

extension Connection {
  /// The earliest moment at which `timerFired` has something to do.
  private var nextDeadline: Timestamp {
    let limits = core.limits
    var next = min(serviceDeadline ?? .distantFuture, pausedUntil ?? .distantFuture)
    switch phase {
    case .dialling, .proxyHeader, .tlsHandshake, .responseHead, .requestHead:
      next = min(next, handshakeDeadline)
    case .open:
      if isSuspended {
        // The service is at a message: what the peer answers meanwhile is not read.
      } else if let pingSent {
        next = min(next, pingSent.advanced(seconds: limits.pongSeconds))
      } else if pingIntervalSeconds > 0 {
        next = min(next, lastReceived.advanced(seconds: pingIntervalSeconds))
      }
      if messageBegan != .distantFuture { next = min(next, messageBegan.advanced(seconds: limits.messageSeconds)) }
      next = min(next, stallDeadline)
    case .closing:
      next = min(next, phaseBegan.advanced(seconds: limits.closeSeconds))
    case .lingering:
      next = min(next, lingerDeadline)
    case .gone:
      next = .distantFuture
    }
    return next
  }

  /// When a handshake or the next head must be over; later while a long answer leaves.
  private var handshakeDeadline: Timestamp {
    phaseBegan.advanced(seconds: core.limits.handshakeSeconds + answerSecondsLeft)
  }

  private var lingerDeadline: Timestamp {
    let seconds = queue.isEmpty ? core.limits.lingerSeconds : core.limits.stallSeconds + answerSecondsLeft
    return phaseBegan.advanced(seconds: seconds)
  }

  private var answerSecondsLeft: Int64 { queue.isEmpty ? 0 : heads?.answerSeconds ?? 0 }

  /// Sets the timer, unless it fires early enough already.
  func armTimer() {
    guard isWatched, !isGone else { return }
    let next = nextDeadline
    guard next < timerDue else { return }
    if let timer { core.cancelTimer(timer) }
    timerDue = next
    timer = core.setTimer(for: self, at: next)
  }

  func timerFired() {
    timer = nil
    timerDue = .distantFuture
    let now = core.now
    let limits = core.limits
    if let pausedUntil, now >= pausedUntil { endPause() }
    switch phase {
    case .dialling, .proxyHeader, .tlsHandshake, .responseHead, .requestHead:
      if now >= handshakeDeadline { giveUpHandshake() }
    case .open:
      if isTooSlow(at: now) {
        giveUpAsTooSlow()
      } else if messageBegan != .distantFuture, now >= messageBegan.advanced(seconds: limits.messageSeconds) {
        close(CloseStatus.policyViolation, "the message took too long")
        linger()
      } else if isSuspended {
        break
      } else if let pingSent {
        if now >= pingSent.advanced(seconds: limits.pongSeconds) {
          close(ConnectionCloseCode.noPong, "no pong")
          linger()
        }
      } else if pingIntervalSeconds > 0, now >= lastReceived.advanced(seconds: pingIntervalSeconds) {
        pingSent = now
        queue { FrameEncoder.appendPing(UnsafeRawBufferPointer(start: nil, count: 0), mask: $1, to: &$0) }
      }
    case .closing:
      if now >= phaseBegan.advanced(seconds: limits.closeSeconds) { linger() }
    case .lingering:
      if now >= lingerDeadline {
        return giveUpUnsent()
      }
    case .gone:
      return
    }
    guard !isGone else { return }
    if let deadline = serviceDeadline, now >= deadline {
      serviceDeadline = nil
      core.service.deadlinePassed(self)
    }
    if isOpen, role == .server, let microseconds = roundTripMicroseconds {
      core.service.measured(roundTripMicroseconds: microseconds, on: self)
    }
    armTimer()
  }

  /// Ends the connection. A peer that has not taken what waits by now won't, and the kernel would keep trying for minutes.
  private func giveUpUnsent() {
    if !queue.isEmpty { socket.discardWhenClosed() }
    abandon()
  }

  /// Too long without a head. Whoever has begun one hears why; whoever has said nothing just came too early.
  private func giveUpHandshake() {
    guard phase == .requestHead, let heads, !heads.bytes.isEmpty, heads.unanswered == nil, queue.isEmpty else {
      return giveUpUnsent()
    }
    refuse(.requestTimeout)
  }
}
