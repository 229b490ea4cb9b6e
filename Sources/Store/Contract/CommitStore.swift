// How a store is written to while the server runs. Part of the contract.
import Game

/// The group commit.
package protocol CommitStore: Sendable {
  /// Writes a batch as one transaction.
  ///
  /// A success means that the batch is durable. It has the outcomes of `batch.changes`, in their order and each of its
  /// change's family. A failure has changed nothing; the caller may bring the same batch again. Batches are written,
  /// and answered, in the order of the calls. The call returns at once, on any thread.
  ///
  /// - Segments: each chunk is appended to its room's journal. A chunk of a room that is not there is left out.
  /// - Changes: all `RoomChange.open` come first, because other changes are about rooms that begin with the batch. The
  ///   others follow in their order, and each sees what those before it did. All of them judge bans and mutes by
  ///   `batch.expiryAt`.
  /// - Tally: every record is written. Rows are written too, unless they meet damage: then they all stay as they were,
  ///   and from there until the store is opened again no row is written and no tally segment deleted.
  ///   `MaintenanceStore.maintain` reports that. So a tally that is made again lacks nothing. A segment takes the place
  ///   of those whose records' numbers reach into its own: they could not be read when the tally was made.
  /// - Nothing new: a batch that changes nothing writes nothing, and leaves `lastAliveAt` as it was.
  ///
  /// Errors: `.full`, also at the operator's bound; `.readOnly`; `.gone`; `.io`; `.corrupt` where damage is met outside
  /// of any one change; `.other` for a store that is closed or busy.
  func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>)

  /// The time of the newest batch that wrote anything (`Batch.at`); nil in a new store. It outlives maintenance.
  /// Blocks.
  var lastAliveAt: Instant? { get throws(StoreFailure) }
}
