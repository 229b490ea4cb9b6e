// What a server's connection keeps while it reads requests: the listener's settings, what has come of a head, the pace.
// Freed when messages flow, for most connections only ever sit there with messages.
//
// Owned by one connection.
import WebSocket

package final class RequestReading {
  let configuration: ListenerConfiguration
  /// The beginning of a head that has not come whole; or requests that came before the answer to another has been sent.
  private(set) var bytes = HeadBytes()
  /// It is requests that wait: nothing behind them is looked at before them.
  private(set) var holdsRequests = false
  private var parser = RequestHeadParser(limits: HeadLimits())
  /// A whole request has come.
  private(set) var hasAsked = false
  /// How much longer than others the peer may take for the answer that is leaving: a long one needs its time.
  package var answerSeconds: Int64 = 0
  /// How fast requests are looked at.
  var pace: RequestPace

  package init(_ configuration: ListenerConfiguration, _ limits: NetLimits) {
    self.configuration = configuration
    pace = RequestPace(perMinute: limits.requestsPerSecond * 60, burst: limits.requestsAtOnce)
  }

  /// The next request; nil when it has not come whole.
  func next(
    in piece: UnsafeMutableRawBufferPointer,
    _ offset: inout Int
  ) throws(HTTPFailure) -> RequestHead? {
    let head = try bytes.gather(piece, &offset) { (all) throws(HTTPFailure) in try parser.parse(all) }
    guard let head else { return nil }
    parser = RequestHeadParser(limits: HeadLimits())
    hasAsked = true
    return head
  }

  /// Keeps what comes while an answer is still to be sent; false when that is more than twice the longest head.
  func keep(_ piece: UnsafeMutableRawBufferPointer, _ offset: inout Int) -> Bool {
    holdsRequests = true
    bytes.append(UnsafeRawBufferPointer(rebasing: piece[offset...]))
    offset = piece.count
    return bytes.count <= 2 * HeadLimits().bytesMax
  }

  /// Takes the requests that were kept.
  func takeKept() -> [UInt8] {
    holdsRequests = false
    return bytes.take()
  }

  /// Whose request it is: the peer's own, or that of the client that trusted proxies name.
  func client(of head: RequestHead, from peer: SocketAddress) -> SocketAddress {
    // Where the PROXY protocol is spoken nobody has looked at the header that a client may have written.
    guard !configuration.expectsProxyHeader else { return peer }
    let values = head.values(of: "X-Forwarded-For")
    guard !values.isEmpty else { return peer }
    let client = configuration.trustedProxies.clientAddress(peer: peer.ip, forwardedFor: values)
    return client == peer.ip ? peer : SocketAddress(ip: client, port: 0)
  }
}
