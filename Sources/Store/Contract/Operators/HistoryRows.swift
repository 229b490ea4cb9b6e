// The server's history: a row of figures for each minute. Plain values, the same for every back end.
import Game

/// The figures of one minute. Counts are of this minute alone.
package struct HistoryMinute: Hashable, Sendable {
  /// The most minutes that a store keeps, those of a day: each replaces the one of the same time of the day.
  package static let countMax: Int64 = 1_440
  /// The age at which a minute is deleted, where no other has replaced it.
  package static let retention = Duration.seconds(86_400)
  private static let lengthMs: Int64 = 60_000

  /// Its end.
  package let at: Instant
  package var spanMs: Int64 = 0
  /// Connected players at its end.
  package var players: Int64 = 0
  package var connections: Int64 = 0
  package var rooms: Int64 = 0
  /// The rooms in which a game was on.
  package var games: Int64 = 0
  package var received: Int64 = 0
  package var sent: Int64 = 0
  package var bytesReceived: Int64 = 0
  package var bytesSent: Int64 = 0
  /// The frames of ticks that were sent to players.
  package var frames: Int64 = 0
  package var errors: Int64 = 0
  package var taps: Int64 = 0
  package var commits: Int64 = 0
  package var commitFailures: Int64 = 0
  package var cpuMs: Int64 = 0
  package var residentBytes: Int64 = 0
  package var sendQueueBytes: Int64 = 0
  /// The greatest load of any shard that was seen, in thousandths.
  package var loadPermille: Int64 = 0
  /// The 99th percentile of the lateness of ticks, in microseconds; nil without a tick.
  package var latenessUs: Int64?
  /// The 99th percentile of the durations of commits, in microseconds; nil without a commit.
  package var commitUs: Int64?

  /// - Precondition: the moment is not before 1970.
  package init(at: Instant) {
    precondition(at.milliseconds >= 0, "a server's minute is not before 1970")
    self.at = at
  }

  /// The number of a moment's minute since 1970.
  package static func number(of moment: Instant) -> Int64 { moment.milliseconds / lengthMs }

  /// The place of the minute in the day's ring.
  package var slot: Int64 { Self.number(of: at) % Self.countMax }
}
