// What an operator decides about the operators' listener.
//
// A value, fixed when the server starts. The token is a secret: it is printed once, for who started the server, and logged
// nowhere.
import Cryptography
import Gateway
import Net
import WebSocket

/// What is wrong with a setting of the operators' listener, for who made it.
package struct OperatorSettingFault: Error, CustomStringConvertible {
  package let description: String
}

package struct OperatorConfiguration: Sendable {
  /// Proves an operator.
  package let token: String
  /// Whose pages may ask beside those of the listener itself, and which names it may be asked by.
  let origins: OriginPolicy
  /// All operators come through a proxy that speaks TLS.
  let isShownByTLS: Bool
  /// The metrics in Prometheus' text format; nil where there are none.
  package var writeMetrics: (@Sendable () -> String)?
  package var metricsContentType = "text/plain; charset=utf-8"
  /// What consoles are told of the log; nil where nobody keeps it.
  package var news: RecentLogEntries?
  package var netLimits = Self.netLimitsDefault
  /// How newcomers come in: by way of which proxies, never with TLS.
  package var listener = ListenerConfiguration()
  /// Ends the program in good order, as SIGTERM does, whatever else has asked for that; nil where operators can't. Called on a
  /// shard's thread.
  package var end: (@Sendable () -> Void)?

  /// With a token of the operator's own, or a drawn one; `origin` is where a proxy shows the listener
  /// (`https://ops.example.org`).
  ///
  /// - Throws: `OperatorSettingFault` or `OriginListFault`.
  package init(token: String? = nil, origin: String? = nil) throws {
    if let token, !Self.isToken(token) {
      throw OperatorSettingFault(
        description: "the operators' token must have 16 to 256 letters, digits, and any of - . _ ~"
      )
    }
    self.token = token ?? Hexadecimal.encode(RandomBytes.make(count: 32))
    guard origin != "*" else { throw OperatorSettingFault(description: "* is no origin of operators' pages") }
    isShownByTLS = origin?.hasPrefix("https://") ?? false
    origins = try origin.map { try OriginPolicy(list: $0, pinsHTTPS: true) } ?? OriginPolicy()
  }

  /// It stands in an address as it is, and must take long to guess.
  private static func isToken(_ text: String) -> Bool {
    let others = "-._~".utf8
    return (16...256).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: others.contains(byte)
        }
      }
  }

  /// Few people with a few tools: what is more is nobody who should be here.
  private static var netLimitsDefault: NetLimits {
    var limits = NetLimits()
    limits.connectionsMax = 64
    limits.connectionsPerAddressMax = 32
    limits.backlog = 64
    // The loopback has no limit of its own, and behind a proxy it is not known at first who comes.
    limits.silentGiveWay = true
    return limits
  }
}
