// Players' connections on one shard: they are admitted, get a session, and go.
//
// Part of the gateway, on the shard's queue.
import MadangProtocol
import Net
import WebSocket

extension ShardGateway {
  package func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    let configuration = context.configuration
    guard configuration.origins.allows(head) else { return .refused(HTTPFailure.originNotAllowed.response) }
    switch head.path {
    case "/v1/play" where isDraining:
      return .refused(.text(503, "going down\n"))
    case "/v1/play":
      let ownBase = configuration.ownBase(head)
      let browser = context.browsers.browser(of: head)
      if ownBase != nil || browser != nil {
        connection.context = AdmittedRequest(ownBase: ownBase, browser: browser)
      }
      return .webSocket(
        subprotocols: Subprotocol.allCases.map(\.rawValue),
        messageBytesMax: Limits.messageBytesMax,
        compresses: configuration.compresses
      )
    case "/echo" where configuration.conformance:
      connection.context = Echo()
      // An echo sends what it receives, so as many bytes may wait.
      connection.allow(unsentBytes: 4 * Echo.messageBytesMax)
      return .webSocket(
        subprotocols: [],
        messageBytesMax: Echo.messageBytesMax,
        compresses: configuration.compresses
      )
    default:
      return .refused(.notFound)
    }
  }

  /// Gives a connection its session, unless it is one of the conformance suites.
  package func opened(_ connection: Connection) {
    let admitted = connection.context as? AdmittedRequest
    guard connection.context == nil || admitted != nil else { return }
    let subprotocol = connection.subprotocol.flatMap(Subprotocol.init(rawValue:)) ?? .json
    let number = directory.numberConnection(at: core.now)
    let state = SessionState(
      subprotocol: subprotocol,
      number: number,
      ownBase: admitted?.ownBase,
      browser: admitted?.browser
    )
    let session = Session(connection, traffic, state)
    statistics.opened += 1
    connection.context = session
    awaitHello(session)
    for feature in features { feature.opened(session) }
  }

  /// Gives a connection without a player its time to say hello.
  package func awaitHello(_ session: Session) {
    session.connection.serviceDeadline = core.now.advanced(seconds: Limits.helloSeconds)
  }

  package func deadlinePassed(_ connection: Connection) {
    guard let session = connection.context as? Session else { return }
    guard session.state.identity != nil else { return session.close(.helloTooLate) }
    for feature in features { feature.deadlinePassed(session) }
  }

  package func closed(_ connection: Connection) {
    guard let session = connection.context as? Session else { return }
    statistics.closed[connection.closeCode ?? GatewayStatistics.noCloseCode, default: 0] += 1
    session.end()
    for feature in features { feature.closed(session) }
    if let identity = session.state.identity {
      directory.disconnect(identity.player, number: session.state.number)
      context.notify(.sessionEnded(identity.player, closeCode: connection.closeCode))
    }
    session.dropParts()
    connection.context = nil
  }

  package func peerEnded(_ connection: Connection) {
    guard let session = connection.context as? Session else { return }
    for feature in features { feature.peerEnded(session) }
  }

  package func measured(roundTripMicroseconds: Int64) {
    context.metrics.roundTrip.record(microseconds: roundTripMicroseconds)
  }

  package func noticedUndeclaredProxy(address: IPAddress) {
    context.notify(.undeclaredProxy(address))
  }

  /// Echoes a message of a connection without a session, which belongs to the conformance suites.
  package func echo(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    precondition(connection.context is Echo, "an open connection has a session or is an echo")
    connection.send(kind, bytes)
  }
}

/// The words of a connection's request for its session, between the two.
private final class AdmittedRequest {
  let ownBase: String?
  let browser: [UInt8]?

  init(ownBase: String?, browser: [UInt8]?) {
    self.ownBase = ownBase
    self.browser = browser
  }
}

/// The mark of a connection of the conformance suites: every message goes back as it came.
private final class Echo {
  static let messageBytesMax = 16 * 1_024 * 1_024
}
