// Settings of the gateway.
//
// A value, fixed when the server starts.
import Cryptography
import Game
import WebSocket

package struct GatewayConfiguration: Sendable {
  /// The longest time a running game may go on after the shutdown began, in seconds.
  package var graceSeconds: Int64 = 30
  /// The longest time that changes gather before a commit, in milliseconds. With 0 each turn commits.
  package var commitIntervalMilliseconds: Int64 = 50
  /// The time for which ended journals are kept.
  package var keepJournals = Duration.seconds(7 * 24 * 60 * 60)
  /// Whether `/echo` is served, for the WebSocket conformance suites.
  package var conformance = false
  /// The pages that may connect beside those of the host itself.
  package var origins = OriginPolicy()
  /// The base of join URLs that a request itself names, for its sender alone; nil where it is the common one.
  package var ownBase: @Sendable (RequestHead) -> String? = { _ in nil }
  /// Whether compression (RFC 7692) is agreed to with clients that offer it.
  package var compresses = true
  /// The source of tokens, players, codes and seeds. It is unpredictable, except in a simulation.
  package var random: RandomSource = { RandomBytes.make(count: $0) }
  /// The record of a distrusted clock; beside the store, and as durable.
  package var clockRecord: any ClockRecord = MemoryClockRecord()
  /// Whether the operator says that the machine's clock is right.
  package var acceptsClock = false
  /// Words that no nickname and no text may have.
  package var words = WordList.empty

  /// The treatment of fields in clients' messages that the schema does not have.
  package var unknownFields = UnknownFields.ignored

  package init() {}

  package enum UnknownFields: Sendable {
    case ignored
    /// Ignored, and each told to the operator once; at most some of a shard.
    case reported
    /// An error for the client.
    case refused
  }
}
