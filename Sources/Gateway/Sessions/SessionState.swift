// The state of a session that moves when its connection changes shards. A value.
import Game
import MadangProtocol
import Net

package struct SessionState: Sendable {
  /// Nil before hello, login or resume.
  package var identity: Identity?
  let subprotocol: Subprotocol
  /// The connection's number among all: of a player's connections, a newer one replaces an older one.
  package let number: UInt64
  /// The base of join URLs by which this client has reached the server; nil where it is the common one. Only this
  /// client is told it.
  package let ownBase: String?
  /// The digest of the browser that the connection comes from, by its mark; nil without one.
  package let browser: [UInt8]?
  /// The client has been notified that the server is going down.
  var isNotifiedOfClosing = false

  init(subprotocol: Subprotocol, number: UInt64, ownBase: String?, browser: [UInt8]?) {
    self.subprotocol = subprotocol
    self.ownBase = ownBase
    self.number = number
    self.browser = browser
  }
}

/// The bound on a connection's messages.
struct MessageRate: Sendable {
  enum Verdict {
    /// `isLast`: the next message would be over the rate.
    case allowed(isLast: Bool)
    case tooFast(retryAfterMs: UInt32)
    /// So many over the rate that they are not answered any more.
    case muted
    /// Over the rate for too long, or by too much at once.
    case intolerable
  }

  private static let rate = TokenRate(
    burst: Int64(Limits.messageBurst),
    tokenMs: 1_000 / Int64(Limits.messagesPerSecond)
  )
  private var messages = TokenBucket(rate)
  /// The number of messages over the rate, without a second's pause.
  private var overCount: UInt32 = 0
  /// The times of the first of them and of the newest.
  private var overSince = Timestamp(microseconds: 0)
  private var overLast = Timestamp(microseconds: 0)

  /// Counts one received message.
  mutating func count(at now: Timestamp) -> Verdict {
    if messages.take(at: Instant(now), Self.rate) { return .allowed(isLast: messages.isEmpty(Self.rate)) }
    if overCount > 0, now < overLast.advanced(seconds: 1) {
      if now >= overSince.advanced(seconds: Limits.overRateSecondsMax) { return .intolerable }
    } else {
      overSince = now
      overCount = 0
    }
    overLast = now
    overCount += 1
    if overCount > Limits.overRateMessagesMax { return .intolerable }
    if overCount > Limits.overRateAnswersMax { return .muted }
    return .tooFast(retryAfterMs: UInt32(Limits.overRatePauseMs))
  }
}
