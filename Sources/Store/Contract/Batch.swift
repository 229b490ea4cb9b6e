// What one group commit brings: the segments that the shards have cut, the row changes that go with them, and what the
// tally of school taps has decided. Plain values, made by the shards and handed to the store.
import Game

/// One transaction: `CommitStore.commit` says how it is written.
package struct Batch: Sendable {
  /// When it was made: what a restart takes for the last moment that the server was alive.
  package var at: Instant
  /// Bans and mutes that have ended by then are not in force: `at`, but where the server lets nothing expire.
  package var expiryAt: Instant
  package var segments: [Segment]
  package var changes: [Change]
  /// In the order in which they were made; they have no outcomes.
  package var tally: [TallyChange]

  package init(
    at: Instant,
    expiryAt: Instant? = nil,
    segments: [Segment] = [],
    changes: [Change] = [],
    tally: [TallyChange] = []
  ) {
    self.at = at
    self.expiryAt = expiryAt ?? at
    self.segments = segments
    self.changes = changes
    self.tally = tally
  }
}
