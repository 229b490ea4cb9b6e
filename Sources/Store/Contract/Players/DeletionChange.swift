// The two steps of a player's deletion. Plain values. `DeletionStore.erase` erases the rest after them.
import Game

/// A change of a deletion. Outcome: `WriteOutcome`, `.ok` also when there was no such player. Both are idempotent.
package enum DeletionChange: Hashable, Sendable {
  /// The deletion begins while rooms still hold data of the player. From this batch on nobody knows the player:
  /// session, device, e-mail, nickname, sanctions, warnings and waiting proposals are deleted, and e-mail and nickname
  /// are free again. Nothing else of the player is deleted until `finish`, whatever happens in between
  /// (`DeletionStore.unfinishedDeletions`).
  case begin(PlayerID, at: Instant)
  /// Marks a player for erasure; no room names the player in any later batch. Begins the deletion if nobody has. The
  /// rest is erased piece by piece (`DeletionStore.erase`, `MaintenanceStore.maintain`): results, runs and badges, the
  /// journals of their games, and their texts in the journals of all rooms where they have been. Other players' results
  /// stay. The audit log stays too; it has only the player's identifier. School taps do not change here: the tally
  /// forgets the player and brings that as rows (`TallyChange`).
  case finish(PlayerID, at: Instant)
}
