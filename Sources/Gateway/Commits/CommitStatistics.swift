// Counts of commits since the server began. A value.

/// Counts of commits since the server began.
package struct CommitStatistics: Sendable {
  package var commits = 0
  package var failures = 0
  /// The bytes of journals, in segments.
  package var bytes = 0
  /// The durations of commits.
  package var durations = LatencyHistogram()

  package init() {}

  package mutating func record(_ segmentBytes: Int, microseconds: Int64) {
    commits += 1
    bytes += segmentBytes
    durations.record(microseconds: microseconds)
  }
}
