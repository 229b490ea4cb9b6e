// The states of a connection by name, and lifecycles that reached each of them by legal transitions.
import Net
import TestSupport
import WebSocket

enum LifecycleStage: CaseIterable {
  case dialling, proxyHeader, serverHandshake, clientHandshake, responseHead, requestHead, awaitingAnswer
  case receivingBody, streamingAnswer
  case open, suspended, departing, closing, lingering, gone

  init(_ state: ConnectionState) {
    self =
      switch state {
      case .dialling: .dialling
      case .proxyHeader: .proxyHeader
      case .serverHandshake: .serverHandshake
      case .clientHandshake: .clientHandshake
      case .responseHead: .responseHead
      case .requestHead: .requestHead
      case .awaitingAnswer: .awaitingAnswer
      case .receivingBody: .receivingBody
      case .streamingAnswer: .streamingAnswer
      case .open: .open
      case .suspended: .suspended
      case .departing: .departing
      case .closing: .closing
      case .lingering: .lingering
      case .gone: .gone
      }
  }

  /// A connection in this state: a server's, or for the client's states a client's.
  func lifecycle(at now: Timestamp = LifecycleStage.start) throws -> ConnectionLifecycle {
    let reading = RequestReading(ListenerConfiguration(), NetLimits())
    var lifecycle = ConnectionLifecycle(.requestHead(reading), at: now)
    switch self {
    case .dialling, .clientHandshake, .responseHead:
      lifecycle = ConnectionLifecycle(.dialling(UpgradeAsking(Self.request)), at: now)
      if self == .clientHandshake { lifecycle.connected(hasTLS: true, at: now) }
      if self == .responseHead { lifecycle.connected(hasTLS: false, at: now) }
    case .proxyHeader: lifecycle = ConnectionLifecycle(.proxyHeader(reading), at: now)
    case .serverHandshake: lifecycle = ConnectionLifecycle(.serverHandshake(reading, nil), at: now)
    case .requestHead: break
    case .awaitingAnswer: lifecycle.requested(try Self.head(), at: now)
    case .receivingBody:
      lifecycle.bodyBegan(BodyReading(try Self.head(), SilentBody(), answerSeconds: 0, at: now), at: now)
    case .streamingAnswer:
      let head = try Self.head()
      lifecycle.requested(head, at: now)
      let stream = AnswerStream(head, SilentBody(), byteCount: 1, keepsAlive: true, hasPeerEnded: false)
      lifecycle.streamBegan(stream, at: now)
    case .open: lifecycle.opened(at: now)
    case .suspended:
      lifecycle.opened(at: now)
      _ = lifecycle.suspend()
    case .departing:
      lifecycle.opened(at: now)
      lifecycle.depart(Departure { _ in })
    case .closing:
      lifecycle.opened(at: now)
      _ = lifecycle.close(1001, at: now)
    case .lingering:
      lifecycle.opened(at: now)
      lifecycle.linger(at: now)
    case .gone: _ = lifecycle.end()
    }
    return lifecycle
  }

  static let start = Timestamp(milliseconds: 1_790_000_000_000)

  static let request = UpgradeRequest(
    host: "play.example.org",
    path: "/",
    subprotocols: [],
    nonce: [UInt8](repeating: 7, count: 16)
  )

  /// The head of a request that asks for no WebSocket.
  static func head() throws -> RequestHead {
    var parser = RequestHeadParser(limits: HeadLimits())
    let head = try Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8).withUnsafeBytes { try parser.parse($0)?.head }
    guard let head else { throw TestFailure("the head is whole") }
    return head
  }
}

/// A body that nobody wants, and that nobody gives.
private final class SilentBody: BodyTaker, AnswerSource {
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
  func ended() {}
  func brokeOff() {}
  func read(_ count: Int) {}
}

extension ConnectionLifecycle {
  var stage: LifecycleStage { LifecycleStage(state) }
}
