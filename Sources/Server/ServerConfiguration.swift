// An operator's settings of a server; everything else is rules and limits of the code.
//
// A value, fixed when the server starts.
import CoreMetrics
import Cryptography
import Game
import Gateway
import Net
import Store
import WebSocket

package struct ServerConfiguration: Sendable {
  /// Ticks a second of a room whose creator sets none; 1 to 20.
  package var tickHz = RoomConfiguration.tickHzDefault
  /// A run with a greater share of withheld fixes, in per cent, is in no ranking; 0 to 100.
  package var withheldPercentMax = RoomConfiguration.withheldPercentMaxDefault
  /// The time for which players who reach a capsule wait for others, to be read for together, in milliseconds. With 0
  /// each is read for at once.
  package var capsuleReadIntervalMilliseconds: Int64 = 20
  /// The number of shards; nil for as many as cores.
  package var shards: Int?
  /// The base of join URLs (`https://play.example.org`); nil for the address served.
  package var publicURL: String?
  /// The folder of the pages; nil serves none, as in simulations.
  package var webRoot: String?
  /// The bound on open rooms.
  package var roomsMax = 20_000
  /// The settings of the gateway.
  package var gateway = GatewayConfiguration()
  /// The days by which players' records are counted.
  package var days = DayRanges.fixed(offsetSeconds: 9 * 60 * 60)
  /// Sends events to the operator's backend; nil where nothing is sent, and events wait.
  package var webhookSender: (any WebhookSender)?
  /// The bytes of events that are kept in memory while nothing can be committed.
  package var keptEventBytesMax = KeptEvents.bytesMax
  /// Where pictures are taken; nil takes none.
  package var media: MediaConfiguration?
  /// Where countries' photos come from; nil serves none.
  package var photos: PhotoConfiguration?
  /// The state of the data's streamed copy; nil where there is none. Called on any thread.
  package var copyStatus: (@Sendable () -> CopyStatus)?
  /// The map under the players; nil for none.
  package var map: MapConfiguration?
  /// Notifies the operator; called on any thread.
  package var notifyOperator: @Sendable (OperatorNotification) -> Void = { _ in }
  package var netLimits = NetLimits()
  /// The listener's settings: TLS, proxies.
  package var listener = ListenerConfiguration()

  /// The receiver of metrics; none unless the program has set one.
  package var metrics: any MetricsFactory = MetricsSystem.factory

  package init(webRoot: String?) {
    self.webRoot = webRoot
  }

  /// Lets pages of other origins connect: `scheme://host[:port]` with commas between, or `*` for all, or nothing. Those
  /// of the public URL may in any case.
  ///
  /// - Throws: the fault of the list.
  package mutating func allowOrigins(_ list: String) throws {
    guard list != "*" else { return gateway.origins = try OriginPolicy(list: list) }
    let all = [list, publicURL ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
    if !all.isEmpty { gateway.origins = try OriginPolicy(list: all) }
  }
}
