// The states of a connection, each with the data that exists only there.
//
// A value of one connection. `ConnectionLifecycle` has the transitions between states.
import WebSocket

package enum ConnectionState {
  /// As a client: TCP is not connected yet.
  case dialling(UpgradeAsking)
  /// The header is awaited by which a proxy names its client, before all else.
  case proxyHeader(RequestReading)
  /// The place is nil before the client's first byte, and where handshakes are not counted.
  case serverHandshake(RequestReading, HandshakePlace?)
  case clientHandshake(UpgradeAsking)
  /// As a client: the answer to the upgrade is awaited.
  case responseHead(UpgradeAsking)
  /// A request head is awaited.
  case requestHead(RequestReading)
  /// The service owes the answer to a request; bytes behind that wait. A peer that has ended gets the answer too.
  indirect case awaitingAnswer(RequestReading, to: RequestHead, hasPeerEnded: Bool)
  /// The body of a request comes.
  case receivingBody(RequestReading, BodyReading)
  /// The body of an answer leaves in pieces; bytes of the peer's wait meanwhile.
  case streamingAnswer(RequestReading, AnswerStream)
  /// Messages flow.
  case open
  /// The service still handles the last message: the next one waits. The service is notified once if the peer ends
  /// meanwhile.
  case suspended(isPeerEndReported: Bool)
  /// The connection moves to another shard after the current message.
  case departing(Departure)
  /// Our close frame is on its way and the peer's is awaited.
  case closing(code: UInt16)
  /// Nothing follows the queued bytes. The peer's bytes are read and thrown away until it ends.
  case lingering(Lingering)
  /// Over; the slot is given back at the end of the turn.
  case gone(Ending)

  package struct Lingering {
    package let ending: Ending
    package var hasPeerEnded = false
    /// The additional seconds in which the peer may take a long last answer.
    let answerSeconds: Int64
  }

  /// The end of a connection.
  package struct Ending: Equatable {
    /// The code of the close frame that was sent or came first; nil when the connection broke without one.
    package let closeCode: UInt16?
    /// Whether the service is notified.
    package let isKnownToService: Bool

    package init(closeCode: UInt16?, isKnownToService: Bool) {
      self.closeCode = closeCode
      self.isKnownToService = isKnownToService
    }
  }
}

extension ConnectionState {
  /// The first state of an accepted connection.
  package init(accepting reading: RequestReading, from address: IPAddress) {
    if reading.configuration.expectsProxyHeader(from: address) {
      self = .proxyHeader(reading)
    } else {
      self = .behindProxyHeader(reading)
    }
  }

  /// The first state without a proxy's header, or the state behind it.
  package static func behindProxyHeader(_ reading: RequestReading) -> Self {
    reading.configuration.certificate == nil ? .requestHead(reading) : .serverHandshake(reading, nil)
  }

  /// Whether messages can be sent.
  package var isOpen: Bool {
    switch self {
    case .open, .suspended: true
    default: false
    }
  }

  package var isGone: Bool { if case .gone = self { true } else { false } }

  package var isSuspended: Bool { if case .suspended = self { true } else { false } }

  /// Whether the peer sends no more; queued bytes still go out.
  package var hasPeerEnded: Bool {
    switch self {
    case .awaitingAnswer(_, _, let hasPeerEnded): hasPeerEnded
    case .streamingAnswer(_, let stream): stream.hasPeerEnded
    case .lingering(let lingering): lingering.hasPeerEnded
    default: false
    }
  }

  /// Whether nothing is read: no more comes, or the service still handles earlier bytes.
  var stopsReading: Bool {
    switch self {
    case .suspended: true
    case .awaitingAnswer(_, _, let hasPeerEnded): hasPeerEnded
    case .receivingBody(_, let body): body.isPaused
    case .streamingAnswer(_, let stream): stream.hasPeerEnded
    case .lingering(let lingering): lingering.hasPeerEnded
    default: false
    }
  }

  /// The end of the connection if it ended now.
  package var ending: Ending {
    switch self {
    case .proxyHeader, .serverHandshake, .requestHead, .awaitingAnswer, .receivingBody, .streamingAnswer:
      Ending(closeCode: nil, isKnownToService: false)
    case .dialling, .clientHandshake, .responseHead, .open, .suspended, .departing:
      Ending(closeCode: nil, isKnownToService: true)
    case .closing(let code): Ending(closeCode: code, isKnownToService: true)
    case .lingering(let lingering): lingering.ending
    case .gone(let ending): ending
    }
  }

  /// The reading of requests, one of which may still be refused; nil in other states.
  var requestReading: RequestReading? {
    switch self {
    case .proxyHeader(let reading), .serverHandshake(let reading, _), .requestHead(let reading),
      .awaitingAnswer(let reading, _, _), .receivingBody(let reading, _), .streamingAnswer(let reading, _):
      reading
    default: nil
    }
  }

  /// Whether requests have come that nobody has looked at yet.
  var holdsRequests: Bool { if case .requestHead(let reading) = self { reading.holdsRequests } else { false } }

  /// Whether the peer has asked for nothing since it connected, or stays although it has its last answer.
  package func asksForNothing(hasUnsent: Bool) -> Bool {
    switch self {
    case .proxyHeader, .serverHandshake: true
    case .requestHead(let reading): !reading.hasAsked
    case .lingering: !hasUnsent
    case .dialling, .clientHandshake, .responseHead, .awaitingAnswer, .receivingBody, .streamingAnswer, .open,
      .suspended, .departing, .closing, .gone:
      false
    }
  }
}
