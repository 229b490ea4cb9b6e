// What an operator decides about a server; everything else are rules and limits of the code.
//
// A value, fixed when the server starts.
import CoreMetrics
import Cryptography
import Game
import Gateway
import Net
import WebSocket

package struct ServerConfiguration: Sendable {
  /// Ticks a second of a room whose creator names none; 1 to 20.
  package var tickHz = 10
  /// How many shards; nil for as many as cores.
  package var shards: Int?
  /// What join URLs begin with (`https://play.example.org`); nil for the address served.
  package var publicURL: String?
  /// The folder that the pages lie in; nil serves none, as in simulations.
  package var webRoot: String?
  /// How many rooms may be open at once.
  package var roomsMax = 20_000
  /// The settings of the gateway.
  package var gateway = GatewayConfiguration()
  /// What days players' records are counted by.
  package var days = DayRanges.fixed(offsetSeconds: 9 * 60 * 60)
  /// Called on a shard's thread.
  package var notifyOperator: @Sendable (OperatorNotification) -> Void = { _ in }
  package var netLimits = NetLimits()
  /// How newcomers come in: TLS, proxies.
  package var listener = ListenerConfiguration()

  /// Where metrics go; nowhere unless the program has said where.
  package var metrics: any MetricsFactory = MetricsSystem.factory

  package init(webRoot: String?) {
    self.webRoot = webRoot
  }

  /// Lets pages of other origins connect: `scheme://host[:port]` with commas between, or `*` for all, or nothing. Those of
  /// the public URL may in any case.
  ///
  /// - Throws: what is wrong with the list.
  package mutating func allowOrigins(_ list: String) throws {
    guard list != "*" else { return gateway.origins = try OriginPolicy(list: list) }
    let all = [list, publicURL ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
    if !all.isEmpty { gateway.origins = try OriginPolicy(list: all) }
  }
}
