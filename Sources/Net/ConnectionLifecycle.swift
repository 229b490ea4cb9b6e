// The transitions of a connection from one state to the next.
//
// A value without sockets, clock or service. A peer's event has a result in every state; an event of this program traps
// where it is illegal. Every end of a handshake gives back its place among the handshakes here.
//
//   as a server:  (proxyHeader ─►) (serverHandshake ─►) requestHead ⇄ awaitingAnswer, requestHead ─► open
//   with bodies:  requestHead ─► receivingBody ─► awaitingAnswer ─► streamingAnswer ─► requestHead
//   as a client:  dialling ─► (clientHandshake ─►) responseHead ─► open
//   messages:     open ⇄ suspended, both ─► departing ─► gone (and open again on the other shard)
//   in stages:    open or suspended ─► closing ─► lingering ─► gone
//   to lingering: also behind a last answer, a refusal, an error of the peer or its close frame
//   to gone:      from everywhere at once, by a reset, an end of stream or a time-out
// Decisions: 005 (docs/decisions).
import WebSocket

package struct ConnectionLifecycle {
  package private(set) var state: ConnectionState
  /// The time at which the state began. For requests: the time at which the wait for the next one, or for an answer,
  /// began.
  package private(set) var began: Timestamp

  package init(_ state: ConnectionState, at now: Timestamp) {
    self.state = state
    began = now
  }

  private mutating func enter(_ next: ConnectionState, at now: Timestamp) {
    change(to: next)
    began = now
  }

  /// Changes the state without more time.
  private mutating func change(to next: ConnectionState) {
    if case .serverHandshake(_, let place?) = state { place.giveBack() }
    if case .receivingBody(_, let body) = state { body.leave() }
    state = next
  }
}

// Opening.
extension ConnectionLifecycle {
  /// TCP is connected.
  package mutating func connected(hasTLS: Bool, at now: Timestamp) {
    guard case .dialling(let asking) = state else { preconditionFailure("TCP is connected once") }
    enter(hasTLS ? .clientHandshake(asking) : .responseHead(asking), at: now)
  }

  /// The proxy's header has been taken. The whole opening shares one deadline.
  package mutating func proxyHeaderEnded() {
    guard case .proxyHeader(let reading) = state else { preconditionFailure("a proxy's header is read once") }
    change(to: .behindProxyHeader(reading))
  }

  /// The client's first byte has come, and the handshake is counted.
  package mutating func handshakeBegan(_ place: HandshakePlace?) {
    guard case .serverHandshake(let reading, nil) = state else { preconditionFailure("a handshake begins once") }
    change(to: .serverHandshake(reading, place))
  }

  package mutating func handshakeEnded(at now: Timestamp) {
    switch state {
    case .serverHandshake(let reading, _): change(to: .requestHead(reading))
    case .clientHandshake(let asking): enter(.responseHead(asking), at: now)
    default: preconditionFailure("a handshake ends once")
    }
  }

  /// A whole request has come that asks for no WebSocket. The time for the answer begins.
  package mutating func requested(_ head: RequestHead, at now: Timestamp) {
    guard case .requestHead(let reading) = state else { preconditionFailure("one request is answered at a time") }
    enter(.awaitingAnswer(reading, to: head, hasPeerEnded: false), at: now)
  }

  /// A request has come whose body is taken.
  package mutating func bodyBegan(_ body: BodyReading, at now: Timestamp) {
    guard case .requestHead(let reading) = state else { preconditionFailure("a body follows its request's head") }
    enter(.receivingBody(reading, body), at: now)
  }

  /// The last byte of the body has come. The time for the answer begins.
  package mutating func bodyEnded(at now: Timestamp) {
    guard case .receivingBody(let reading, let body) = state else { preconditionFailure("a body ends once") }
    body.end()
    enter(.awaitingAnswer(reading, to: body.head, hasPeerEnded: false), at: now)
  }

  /// The answer's head is queued, and its body follows.
  package mutating func streamBegan(_ stream: AnswerStream, at now: Timestamp) {
    guard case .awaitingAnswer(let reading, _, _) = state else { preconditionFailure("a request is answered once") }
    enter(.streamingAnswer(reading, stream), at: now)
  }

  /// A piece of the answer's body is queued, and more follow. The time for this piece begins.
  package mutating func pieceQueued(at now: Timestamp) {
    guard case .streamingAnswer = state else { preconditionFailure("pieces follow an answer's head") }
    began = now
  }

  /// The answer is queued, and the next request may come.
  package mutating func answered(at now: Timestamp) {
    switch state {
    case .awaitingAnswer(let reading, _, false): enter(.requestHead(reading), at: now)
    case .streamingAnswer(let reading, _): enter(.requestHead(reading), at: now)
    default: preconditionFailure("a request is answered once")
    }
  }

  /// A long answer has left: the next request's time begins now.
  package mutating func answerLeft(at now: Timestamp) {
    guard case .requestHead = state else { preconditionFailure("the next request is awaited after an answer") }
    began = now
  }

  /// The upgrade is done.
  package mutating func opened(at now: Timestamp) {
    switch state {
    case .requestHead, .responseHead: enter(.open, at: now)
    default: preconditionFailure("a connection opens once, after a head")
    }
  }
}

// While messages flow. Each returns whether anything has changed.
extension ConnectionLifecycle {
  package mutating func suspend() -> Bool {
    guard case .open = state else { return false }
    change(to: .suspended(isPeerEndReported: false))
    return true
  }

  /// The peer of a suspended connection has sent its last byte.
  package mutating func peerEndedWhileSuspended() -> Bool {
    guard case .suspended(isPeerEndReported: false) = state else { return false }
    change(to: .suspended(isPeerEndReported: true))
    return true
  }

  package mutating func resume() -> Bool {
    guard case .suspended = state else { return false }
    change(to: .open)
    return true
  }

  /// The connection moves to another shard. Until it has left, only an end can intervene.
  package mutating func depart(_ departure: Departure) {
    precondition(state.isOpen, "an open connection moves to one shard")
    change(to: .departing(departure))
  }

  /// The connection has moved; nil when it is not about to.
  package mutating func departed() -> Departure? {
    guard case .departing(let departure) = state else { return nil }
    change(to: .gone(ConnectionState.Ending(closeCode: nil, isKnownToService: false)))
    return departure
  }
}

// Ending.
extension ConnectionLifecycle {
  package enum Close: Equatable {
    /// A close frame is to be sent. Messages behind it that waited for the service are read and dropped.
    case handshake(wasSuspended: Bool)
    /// Messages don't flow yet: the connection is to end at once.
    case abandon
    /// The connection is ending already, or another shard owns it.
    case nothing
  }

  /// This end wants to close.
  package mutating func close(_ code: UInt16, at now: Timestamp) -> Close {
    switch state {
    case .open, .suspended:
      let wasSuspended = state.isSuspended
      enter(.closing(code: code), at: now)
      return .handshake(wasSuspended: wasSuspended)
    case .dialling, .proxyHeader, .serverHandshake, .clientHandshake, .responseHead, .requestHead, .awaitingAnswer,
      .receivingBody, .streamingAnswer:
      return .abandon
    case .departing, .closing, .lingering, .gone:
      return .nothing
    }
  }

  /// The peer's close frame has come. True when it must be answered with one.
  package mutating func peerClosed(_ code: UInt16?, at now: Timestamp) -> Bool {
    switch state {
    case .open, .suspended:
      linger(ConnectionState.Ending(closeCode: code, isKnownToService: true), hasPeerEnded: false, at: now)
      return true
    case .closing:
      linger(at: now)
      return false
    default:
      return false
    }
  }

  /// Nothing more is to be sent.
  package mutating func linger(at now: Timestamp) {
    switch state {
    case .departing, .gone: break
    case .lingering: began = now
    default: linger(state.ending, hasPeerEnded: state.hasPeerEnded, at: now)
    }
  }

  private mutating func linger(_ ending: ConnectionState.Ending, hasPeerEnded: Bool, at now: Timestamp) {
    let lingering = ConnectionState.Lingering(
      ending: ending,
      hasPeerEnded: hasPeerEnded,
      answerSeconds: state.requestReading?.answerSeconds ?? 0
    )
    enter(.lingering(lingering), at: now)
  }

  /// The peer sends no more. An HTTP client still gets its answer if the kernel has not taken all of it or the service
  /// still owes it. A WebSocket without a close frame is broken.
  ///
  /// - Returns: whether something is still to be sent; else the connection is to end at once.
  package mutating func peerEnded(hasUnsent: Bool, at now: Timestamp) -> Bool {
    switch state {
    case .awaitingAnswer(let reading, let head, _):
      change(to: .awaitingAnswer(reading, to: head, hasPeerEnded: true))
      return true
    case .streamingAnswer(_, let stream):
      stream.hasPeerEnded = true
      return true
    case .requestHead where hasUnsent:
      linger(state.ending, hasPeerEnded: true, at: now)
      return true
    case .lingering(var lingering) where hasUnsent:
      lingering.hasPeerEnded = true
      change(to: .lingering(lingering))
      return true
    default:
      return false
    }
  }

  /// The connection ends at once; with `code`, unless a close frame had one. False when it has ended before.
  package mutating func end(_ code: UInt16? = nil) -> Bool {
    guard !state.isGone else { return false }
    let ending = state.ending
    change(
      to: .gone(
        ConnectionState.Ending(closeCode: ending.closeCode ?? code, isKnownToService: ending.isKnownToService)
      )
    )
    return true
  }
}

// Time.
extension ConnectionLifecycle {
  /// The time at which the state must be over; `.distantFuture` while messages flow. A long answer that is leaving has
  /// more time.
  package func deadline(_ limits: NetLimits, hasUnsent: Bool) -> Timestamp {
    switch state {
    case .awaitingAnswer(let reading, _, _):
      let answerSeconds = hasUnsent ? reading.answerSeconds : 0
      return began.advanced(seconds: limits.handshakeSeconds + reading.serviceSeconds + answerSeconds)
    case .dialling, .proxyHeader, .serverHandshake, .clientHandshake, .responseHead, .requestHead:
      let answerSeconds = hasUnsent ? state.requestReading?.answerSeconds ?? 0 : 0
      return began.advanced(seconds: limits.handshakeSeconds + answerSeconds)
    case .receivingBody(_, let body):
      return body.deadline(limits)
    case .streamingAnswer:
      let pieceSeconds = Int64(limits.answerPieceBytesMax / limits.bodyBytesPerSecondMin)
      return began.advanced(seconds: limits.stallSeconds + pieceSeconds)
    case .closing:
      return began.advanced(seconds: limits.closeSeconds)
    case .lingering(let lingering):
      return began.advanced(seconds: hasUnsent ? limits.stallSeconds + lingering.answerSeconds : limits.lingerSeconds)
    case .open, .suspended, .departing, .gone:
      return .distantFuture
    }
  }
}
