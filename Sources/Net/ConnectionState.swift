// How far a connection has come, and what exists only there.
//
// A value of one connection. `ConnectionLifecycle` has the ways from one state to the next.
import WebSocket

package enum ConnectionState {
  /// As a client: TCP is not connected yet.
  case dialling(UpgradeAsking)
  /// A proxy's word on who its client is, in front of everything else, is awaited.
  case proxyHeader(RequestReading)
  /// The place is nil before the client's first byte, and where handshakes are not counted.
  case serverHandshake(RequestReading, HandshakePlace?)
  case clientHandshake(UpgradeAsking)
  /// As a client: the answer to the upgrade is awaited.
  case responseHead(UpgradeAsking)
  /// A request head is awaited.
  case requestHead(RequestReading)
  /// The service owes the answer to a request; what comes behind that waits. A peer that has ended gets the answer too.
  indirect case awaitingAnswer(RequestReading, to: RequestHead, hasPeerEnded: Bool)
  /// Messages flow.
  case open
  /// The service is still at the last message: the next one waits. The service is told once when the peer ends
  /// meanwhile.
  case suspended(isPeerEndTold: Bool)
  /// The connection moves to another shard as soon as the message under way has been dealt with.
  case departing(Departure)
  /// Our close frame is on its way and the peer's is awaited.
  case closing(code: UInt16)
  /// Nothing follows what is queued; the peer's bytes are read and thrown away until it ends.
  case lingering(Lingering)
  /// Over; the slot is given back at the end of the turn.
  case gone(Ending)

  package struct Lingering {
    package let ending: Ending
    package var hasPeerEnded = false
    /// How much longer than others the peer may take for a last answer.
    let answerSeconds: Int64
  }

  /// How a connection ends.
  package struct Ending: Equatable {
    /// The code of the close frame that was sent or came first; nil when the connection broke without one.
    package let closeCode: UInt16?
    /// Whether the service is told.
    package let isKnownToService: Bool

    package init(closeCode: UInt16?, isKnownToService: Bool) {
      self.closeCode = closeCode
      self.isKnownToService = isKnownToService
    }
  }
}

extension ConnectionState {
  /// What a connection that a listener has accepted begins with.
  package init(accepting reading: RequestReading, from address: IPAddress) {
    if reading.configuration.expectsProxyHeader(from: address) {
      self = .proxyHeader(reading)
    } else {
      self = .behindProxyHeader(reading)
    }
  }

  /// What begins without a proxy's header, or behind it.
  package static func behindProxyHeader(_ reading: RequestReading) -> Self {
    reading.configuration.certificate == nil ? .requestHead(reading) : .serverHandshake(reading, nil)
  }

  /// Messages can be sent.
  package var isOpen: Bool {
    switch self {
    case .open, .suspended: true
    default: false
    }
  }

  package var isGone: Bool { if case .gone = self { true } else { false } }

  package var isSuspended: Bool { if case .suspended = self { true } else { false } }

  /// The peer sends no more; what is queued still goes out.
  package var hasPeerEnded: Bool {
    switch self {
    case .awaitingAnswer(_, _, let hasPeerEnded): hasPeerEnded
    case .lingering(let lingering): lingering.hasPeerEnded
    default: false
    }
  }

  /// Nothing is read, for no more comes or the service is still at what has come.
  var stopsReading: Bool {
    switch self {
    case .suspended: true
    case .awaitingAnswer(_, _, let hasPeerEnded): hasPeerEnded
    case .lingering(let lingering): lingering.hasPeerEnded
    default: false
    }
  }

  /// How the connection ends if it does now.
  package var ending: Ending {
    switch self {
    case .proxyHeader, .serverHandshake, .requestHead, .awaitingAnswer:
      Ending(closeCode: nil, isKnownToService: false)
    case .dialling, .clientHandshake, .responseHead, .open, .suspended, .departing:
      Ending(closeCode: nil, isKnownToService: true)
    case .closing(let code): Ending(closeCode: code, isKnownToService: true)
    case .lingering(let lingering): lingering.ending
    case .gone(let ending): ending
    }
  }

  /// Reads requests, and may still refuse one; nil in other states.
  var requestReading: RequestReading? {
    switch self {
    case .proxyHeader(let reading), .serverHandshake(let reading, _), .requestHead(let reading),
      .awaitingAnswer(let reading, _, _):
      reading
    default: nil
    }
  }

  /// Requests have come that are not looked at yet.
  var holdsRequests: Bool { if case .requestHead(let reading) = self { reading.holdsRequests } else { false } }

  /// Whether the peer has not asked for anything since it connected, or has its last answer and stays nevertheless.
  package func asksForNothing(hasUnsent: Bool) -> Bool {
    switch self {
    case .proxyHeader, .serverHandshake: true
    case .requestHead(let reading): !reading.hasAsked
    case .lingering: !hasUnsent
    case .dialling, .clientHandshake, .responseHead, .awaitingAnswer, .open, .suspended, .departing, .closing, .gone:
      false
    }
  }
}
