// What a connection keeps while it reads heads: an HTTP request's, or as a client the answer to its own. Given back when
// messages flow, for most connections only ever sit there with messages.
//
// Owned by one connection.
import WebSocket

final class HeadReading {
  /// The beginning of a head that has not come whole; or requests that came before the answer to another has been sent.
  var bytes: [UInt8] = []
  /// It is requests that wait: nothing behind them is looked at before them.
  var holdsRequests = false
  var requestParser = RequestHeadParser(limits: HeadLimits())
  /// A whole request has come.
  var hasAsked = false
  /// A request whose answer the service still owes; what comes behind it waits.
  var unanswered: RequestHead?
  /// How much longer than others the peer may take for the answer that is leaving: a long one needs its time.
  var answerSeconds: Int64 = 0
  /// The network by which the TLS handshake under way is counted; nil when none is.
  var handshakeNetwork: IPAddress?
  /// How fast requests are looked at.
  var pace: RequestPace
  /// As a server: how newcomers come in.
  let configuration: ListenerConfiguration?
  /// As a client: what is asked for, and how its answer is read.
  let request: UpgradeRequest?
  var responseParser = ResponseHeadParser(limits: HeadLimits())

  init(_ configuration: ListenerConfiguration, _ limits: NetLimits) {
    self.configuration = configuration
    pace = RequestPace(perMinute: limits.requestsPerSecond * 60, burst: limits.requestsAtOnce)
    request = nil
  }

  init(_ request: UpgradeRequest) {
    self.request = request
    pace = RequestPace(perMinute: 1, burst: 1)
    configuration = nil
  }
}
