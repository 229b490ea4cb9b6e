// The erasure of players who are deleted. Part of the contract. A deletion is written by `DeletionChange`.
import Game

/// What is left of deleted players.
package protocol DeletionStore: Sendable {
  /// Erases what is left of a player whom a commit has marked (`DeletionChange.finish`), in transactions of bounded
  /// size between which commits get through. Several players' erasures take turns. The call returns at once, on any
  /// thread.
  ///
  /// `completion` is called when nothing of the player is left, at once where there is nothing to erase. On a full disk
  /// the answer waits until maintenance has made room, so it may be late. Any other failure is the answer, at once. A
  /// store that is closed answers with `.other`. Each maintenance tries failed erasures again, and goes on with those
  /// that a restart has interrupted.
  ///
  /// These go: sessions, blocks, badges, runs and results; the journals of the player's games and of games that ran in
  /// their rooms while they were deleted; their texts in all journals of rooms where they have been. What an open room
  /// needs for its recovery stays until its next snapshot. A journal that can't be read goes as a whole.
  func erase(_ player: PlayerID, _ completion: @escaping Completion<Void>)

  /// Players with a `DeletionChange.begin` and no `DeletionChange.finish`, in no order. Blocks.
  var unfinishedDeletions: [PlayerID] { get throws(StoreFailure) }
}
