// The state of a server's connection while it reads requests: the listener's settings, the unfinished head, the pace.
// Freed when messages flow, since most connections then stay with messages.
//
// Owned by one connection.
import WebSocket

package final class RequestReading {
  let configuration: ListenerConfiguration
  /// The beginning of an unfinished head, or requests that came before the answer to another had been sent.
  private(set) var bytes = HeadBytes()
  /// Whether the bytes are waiting requests: nothing behind them is read before them.
  private(set) var holdsRequests = false
  private var parser: RequestHeadParser
  /// Whether a whole request has come.
  private(set) var hasAsked = false
  /// The additional seconds in which the peer may take the answer that is leaving: a long one needs its time.
  package var answerSeconds: Int64 = 0
  /// The additional seconds that the service may take for the answer that is awaited.
  package var serviceSeconds: Int64 = 0
  /// The pace at which requests are handled.
  var pace: RequestPace

  package init(_ configuration: ListenerConfiguration, _ limits: NetLimits) {
    self.configuration = configuration
    parser = configuration.headParser
    pace = RequestPace(perMinute: limits.requestsPerSecond * 60, burst: limits.requestsAtOnce)
  }

  /// The next request; nil when it has not come whole.
  func next(
    in piece: UnsafeMutableRawBufferPointer,
    _ offset: inout Int
  ) throws(HTTPFailure) -> RequestHead? {
    let head = try bytes.gather(piece, &offset) { (all) throws(HTTPFailure) in try parser.parse(all) }
    guard let head else { return nil }
    parser = configuration.headParser
    hasAsked = true
    return head
  }

  /// Keeps bytes that come while an answer is still to be sent; false when they exceed twice the longest head.
  /// `isLast` says that nothing more is read before they are taken: then they may be a whole read, which has the
  /// beginning of a body.
  func keep(_ piece: UnsafeMutableRawBufferPointer, _ offset: inout Int, isLast: Bool = false) -> Bool {
    holdsRequests = true
    bytes.append(UnsafeRawBufferPointer(rebasing: piece[offset...]))
    offset = piece.count
    return isLast || bytes.count <= 2 * HeadLimits().bytesMax
  }

  /// Takes the kept requests.
  func takeKept() -> [UInt8] {
    holdsRequests = false
    return bytes.take()
  }

  /// The client of the request: the peer itself, or the client that trusted proxies name.
  func client(of head: RequestHead, from peer: SocketAddress) -> SocketAddress {
    // Where the PROXY protocol is spoken, no proxy has checked the header, and a client may have written it.
    guard !configuration.expectsProxyHeader else { return peer }
    let values = head.values(of: "X-Forwarded-For")
    guard !values.isEmpty else { return peer }
    let client = configuration.trustedProxies.clientAddress(peer: peer.ip, forwardedFor: values)
    return client == peer.ip ? peer : SocketAddress(ip: client, port: 0)
  }
}
