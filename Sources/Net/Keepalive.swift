// The rule by which a silent peer is asked for a pong, and its deadline.
//
// A value of one connection; it moves between shards with it. It sends nothing and reads no clock.

struct Keepalive: Sendable {
  enum Verdict: Equatable {
    case fine
    /// The peer is to be asked for a pong. From now on it counts as asked.
    case ping
    /// The peer was asked and has stayed silent.
    case noPong
  }

  /// The seconds of silence after which the peer is asked; 0 for never.
  var intervalSeconds: Int64
  private var lastReceived: Timestamp
  private var pingSent: Timestamp?

  init(intervalSeconds: Int64, at now: Timestamp) {
    self.intervalSeconds = intervalSeconds
    lastReceived = now
  }

  /// The peer has sent something, or nothing was expected from it until now.
  mutating func heard(at now: Timestamp) {
    lastReceived = now
    pingSent = nil
  }

  /// The time of the next `judge` that has something to do.
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
