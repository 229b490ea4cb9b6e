// Counts of commits since the server began. A value.

/// What has been committed since the server began.
package struct CommitStatistics: Sendable {
  package var commits = 0
  package var failures = 0
  /// Of journals, in segments.
  package var bytes = 0
  /// How long commits took.
  package var durations = Durations()

  package init() {}

  package mutating func record(_ segmentBytes: Int, microseconds: Int64) {
    commits += 1
    bytes += segmentBytes
    durations.record(microseconds: microseconds)
  }
}
