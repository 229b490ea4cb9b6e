// Writing to a store while the server runs. Part of the contract.
import Game

/// The group commit.
package protocol CommitStore: Sendable {
  /// Writes a batch as one transaction.
  ///
  /// A success means that the batch is durable. It holds the outcomes of `batch.changes` in their order, each of its
  /// change's family. A failure has changed nothing; the caller may bring the same batch again. Batches are written,
  /// and answered, in the order of the calls. The call returns at once, on any thread.
  ///
  /// - Segments: each chunk is appended to its room's journal. A chunk of an unknown room is left out.
  /// - Changes: all `RoomChange.open` come first, because other changes refer to rooms that begin with the batch. The
  ///   others follow in their order, and each sees the effects of those before it. All of them judge bans and mutes by
  ///   `batch.expiryAt`.
  /// - Tally: every record is written. Rows are written too, unless they meet damage. Damaged rows stop row writing:
  ///   all rows stay as they were, and until the store is opened again no row is written and no tally segment is
  ///   deleted. `MaintenanceStore.maintain` reports that. So a rebuilt tally lacks nothing. A segment replaces those
  ///   whose record numbers reach into its own: they were unreadable when the tally was built.
  /// - Nothing new: a batch that changes nothing and marks no time writes nothing, and leaves `lastAliveAt` as it was.
  ///
  /// Errors: `.full`, also at the operator's bound; `.readOnly`; `.gone`; `.io`; `.corrupt` for damage outside of any
  /// one change; `.other` for a store that is closed or busy.
  func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>)

  /// The time of the newest batch that wrote anything (`Batch.at`); nil in a new store. It outlives maintenance.
  /// Blocks.
  var lastAliveAt: Instant? { get throws(StoreFailure) }
}
