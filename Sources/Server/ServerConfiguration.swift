// What an operator decides about a server; everything else are rules and limits of the code.
//
// A value, fixed when the server starts.
import CoreMetrics
import Cryptography
import Game
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
  /// How long a running game may go on after the server was told to end; seconds.
  package var graceSeconds: Int64 = 30
  /// How long what has happened may be gathered before it is committed; milliseconds. With 0 each turn is.
  package var commitIntervalMilliseconds: Int64 = 50
  /// How long journals of finished games are kept, and with them their tracks.
  package var keepJournals = Duration.seconds(7 * 24 * 60 * 60)
  /// What days players' records are counted by.
  package var days = DayRanges.fixed(offsetSeconds: 9 * 60 * 60)
  /// Called on a shard's thread.
  package var tellOperator: @Sendable (OperatorNews) -> Void = { _ in }
  /// Serves `/echo` for the WebSocket conformance suites.
  package var conformance = false
  /// Whose pages may connect beside those of the host itself.
  package var origins = OriginPolicy()
  /// Agrees to compression (RFC 7692) with clients who offer it.
  package var compresses = true
  package var netLimits = NetLimits()
  /// How newcomers come in: TLS, proxies.
  package var entrance = Entrance()
  /// What tokens, players, codes and seeds are drawn by: nobody may guess it, but a simulation does.
  package var random: RandomSource = { RandomBytes.make(count: $0) }

  /// Where it is remembered that the machine's clock is not believed; beside the store, and as lasting.
  package var clockRecord: any ClockRecord = MemoryClockRecord()
  /// The operator says that the machine's clock is right.
  package var acceptsClock = false

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
    guard list != "*" else { return origins = try OriginPolicy(list: list) }
    let all = [list, publicURL ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
    if !all.isEmpty { origins = try OriginPolicy(list: all) }
  }
}
