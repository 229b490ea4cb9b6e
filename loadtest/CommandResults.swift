// The outcomes of durable commands, added up, and the lines of the report.
//
// A value: each shard of bots fills its own, the command adds them up.
import Histogram

package struct CommandResults: Sendable {
  /// Sent.
  var chats = 0
  var reads = 0
  /// Answered with ok.
  private(set) var acknowledged = 0
  /// Answered with an error.
  private(set) var refused = 0
  /// The time from sending to the answer of any kind; microseconds.
  private(set) var times = Results.emptyHistogram

  package init() {}

  var sent: Int { chats + reads }
  /// The number of commands without an answer yet.
  var open: Int { sent - acknowledged - refused }

  package mutating func answered(afterMicroseconds microseconds: Int64, isOK: Bool) {
    if isOK { acknowledged += 1 } else { refused += 1 }
    _ = times.record(UInt64(max(1, microseconds)))
  }

  mutating func forgetTimes() {
    times = Results.emptyHistogram
  }

  mutating func add(_ other: CommandResults) {
    chats += other.chats
    reads += other.reads
    acknowledged += other.acknowledged
    refused += other.refused
    times.add(other.times)
  }

  package func lines(seconds: Double) -> [String] {
    [
      "commands sent       \(sent): \(chats) chats, \(reads) read cursors",
      "acknowledged        \(acknowledged), \(Int(Double(acknowledged) / seconds)) a second; refused \(refused), "
        + "unanswered \(open)",
      "time to the answer  \(times.percentiles)",
    ]
  }
}
