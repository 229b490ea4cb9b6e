// An operator's settings of the operators' listener.
//
// A value, fixed when the server starts. The token is a secret: it is printed once, for the person who started the
// server, and logged nowhere.
import Cryptography
import Gateway
import Net
import WebSocket

/// The fault of a setting of the operators' listener, for its author.
package struct OperatorSettingFault: Error, CustomStringConvertible {
  package let description: String
}

package struct OperatorConfiguration: Sendable {
  /// The proof of an operator.
  package let token: String
  /// The pages that may ask beside those of the listener itself, and the listener's names.
  let origins: OriginPolicy
  /// Whether all operators come through a proxy that speaks TLS.
  let isShownByTLS: Bool
  /// Where operators' browsers find the listener, where an operator has said so: scheme and host.
  let shownOrigin: String?
  /// The data folder, whose files have operators and sessions; nil where none are kept.
  package var folder: String?
  /// The metrics in Prometheus' text format; nil where there are none.
  package var writeMetrics: (@Sendable () -> String)?
  package var metricsContentType = "text/plain; charset=utf-8"
  /// The log entries for consoles; nil where none are kept.
  package var logEntries: RecentLogEntries?
  package var netLimits = Self.netLimitsDefault
  /// The listener's settings: its proxies, never TLS.
  package var listener = ListenerConfiguration()
  /// Ends the program in good order, as SIGTERM does, independent of other requests to end; nil where operators can't.
  /// Called on a shard's queue.
  package var end: (@Sendable () -> Void)?

  /// Takes the operator's own token, or draws one. `origin` is the proxy's public origin of the listener
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
    shownOrigin = origin.map { String($0.prefix { $0 != "," }) }
    isShownByTLS = origin?.hasPrefix("https://") ?? false
    origins = try origin.map { try OriginPolicy(list: $0, pinsHTTPS: true) } ?? OriginPolicy()
  }

  /// Whether a token needs no escapes in a URL and is long to guess.
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

  /// Limits for few people with a few tools; more is nobody who should be here.
  private static var netLimitsDefault: NetLimits {
    var limits = NetLimits()
    limits.connectionsMax = 64
    limits.connectionsPerAddressMax = 32
    limits.backlog = 64
    // The loopback has no limit of its own, and behind a proxy the client is unknown at first.
    limits.silentGiveWay = true
    return limits
  }
}
