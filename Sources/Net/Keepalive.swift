// When a silent peer is asked for a pong, and how long that may take.
//
// A value of one connection; it moves between shards with it. It sends nothing and reads no clock.

struct Keepalive: Sendable {
  enum Verdict: Equatable {
    case fine
    /// The peer is to be asked for a pong, and is taken for asked from now on.
    case ping
    /// The peer was asked and has said nothing.
    case noPong
  }

  /// Seconds of silence after which the peer is asked; 0 never.
  var intervalSeconds: Int64
  private var lastReceived: Timestamp
  private var pingSent: Timestamp?

  init(intervalSeconds: Int64, at now: Timestamp) {
    self.intervalSeconds = intervalSeconds
    lastReceived = now
  }

  /// The peer has sent something, or is not expected to have until now.
  mutating func heard(at now: Timestamp) {
    lastReceived = now
    pingSent = nil
  }

  /// When `judge` has something to do next.
  func deadline(_ limits: NetLimits) -> Timestamp {
    if let pingSent { return pingSent.advanced(seconds: limits.pongSeconds) }
    return intervalSeconds > 0 ? lastReceived.advanced(seconds: intervalSeconds) : .distantFuture
  }

  mutating func judge(at now: Timestamp, _ limits: NetLimits) -> Verdict {
    guard now >= deadline(limits) else { return .fine }
    guard pingSent == nil else { return .noPong }
    pingSent = now
    return .ping
  }
}
