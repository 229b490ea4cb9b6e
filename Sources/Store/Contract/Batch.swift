// The content of one group commit: the journal segments of the shards, the row changes that belong to them, and the
// records of the school tap tally. Plain values, made by the shards and handed to the store.
import Game

/// One transaction; `CommitStore.commit` specifies how it is written.
package struct Batch: Sendable {
  /// The time when the batch was made. A restart takes it for the last moment that the server was alive.
  package var at: Instant
  /// The time by which bans and mutes expire: `at`, unless the server lets nothing expire.
  package var expiryAt: Instant
  package var segments: [Segment]
  package var changes: [Change]
  /// The tally's changes in the order in which they were made; they have no outcomes.
  package var tally: [TallyChange]
  /// Whether the batch's time is written even if nothing else is.
  package var marksTime: Bool

  package init(
    at: Instant,
    expiryAt: Instant? = nil,
    segments: [Segment] = [],
    changes: [Change] = [],
    tally: [TallyChange] = [],
    marksTime: Bool = false
  ) {
    self.at = at
    self.expiryAt = expiryAt ?? at
    self.segments = segments
    self.changes = changes
    self.tally = tally
    self.marksTime = marksTime
  }

  /// Whether it makes a store smaller, but for the time of the batch: a store at its bound takes it.
  package var onlyRemoves: Bool {
    segments.allSatisfy(\.bytes.isEmpty) && tally.isEmpty && !changes.isEmpty
      && changes.allSatisfy { if case .webhook(.delivered) = $0 { true } else { false } }
  }
}
