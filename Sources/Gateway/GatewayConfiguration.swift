// Settings of the gateway.
//
// A value, fixed when the server starts.
import Cryptography
import WebSocket

package struct GatewayConfiguration: Sendable {
  /// How long a running game may go on after the server was told to end; seconds.
  package var graceSeconds: Int64 = 30
  /// How long changes may be gathered before they are committed; milliseconds. With 0 each turn commits.
  package var commitIntervalMilliseconds: Int64 = 50
  /// How long journals of finished games are kept, and with them their tracks.
  package var keepJournals = Duration.seconds(7 * 24 * 60 * 60)
  /// Serves `/echo` for the WebSocket conformance suites.
  package var conformance = false
  /// The pages that may connect beside those of the host itself.
  package var origins = OriginPolicy()
  /// Agrees to compression (RFC 7692) with clients who offer it.
  package var compresses = true
  /// The source of tokens, players, codes and seeds: nobody may guess it, but a simulation does.
  package var random: RandomSource = { RandomBytes.make(count: $0) }
  /// Remembers that the machine's clock is not believed; beside the store, and as lasting.
  package var clockRecord: any ClockRecord = MemoryClockRecord()
  /// The operator says that the machine's clock is right.
  package var acceptsClock = false

  package init() {}
}
