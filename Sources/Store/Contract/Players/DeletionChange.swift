// How a player is deleted. Plain values. What is left behind both changes is erased by `DeletionStore.erase`.
import Game

/// A change of a deletion. Outcome: `WriteOutcome`, `.ok` also when there was no such player. Both are idempotent.
package enum DeletionChange: Hashable, Sendable {
  /// A player is about to be forgotten, of whom rooms still tell. From this batch on nobody knows the player: session,
  /// device, e-mail, nickname and sanctions are gone, and e-mail and nickname may be taken again. Nothing else of
  /// theirs goes until `finish`, whatever happens in between (`DeletionStore.unfinishedDeletions`).
  case begin(PlayerID, at: Instant)
  /// Marks a player to be erased, of whom no room tells in any batch behind this one; begins the deletion where nobody
  /// has. The rest goes piece by piece (`DeletionStore.erase`, `MaintenanceStore.maintain`): results, runs and badges,
  /// the journals of their games, and their texts in the journals of all rooms where they have been. Others' results
  /// stay as they were, and so does the audit log, which has the player's identifier and no other word of them. School
  /// taps are the tally's to forget, which brings that as rows (`TallyChange`): nothing of them changes here.
  case finish(PlayerID, at: Instant)
}
