// The erasure of players who are deleted. Part of the contract. A deletion is written by `DeletionChange`.
import Game

/// The remaining data of deleted players.
package protocol DeletionStore: Sendable {
  /// Erases the remaining data of a player whom a commit has marked (`DeletionChange.finish`). It works in transactions
  /// of bounded size, and commits get through between them. Erasures of several players take turns. The call returns at
  /// once, on any thread.
  ///
  /// `completion` is called when nothing of the player is left, and at once when there is nothing to erase. On a full
  /// disk the answer waits until maintenance has made room. Any other failure is answered at once. A closed store
  /// answers with `.other`. Each maintenance retries failed erasures, and continues those that a restart has
  /// interrupted.
  ///
  /// It erases sessions, blocks, badges, proposals, the profile with what was earned, reports, whose effects stay,
  /// capsules, media, runs and results; what names the player in capsules of others, whose open counts stay; posts,
  /// comments, likes and views, though counts of views stay; plans, takings over, and the credit in others' copies;
  /// pending events of webhooks that name the player; the journals of the player's games, and of games that ran in
  /// their rooms during the deletion; and their texts in all journals of rooms where they have been. Journals that an
  /// open room needs for its recovery stay until its next snapshot. An unreadable journal is deleted as a whole.
  func erase(_ player: PlayerID, _ completion: @escaping Completion<Void>)

  /// Players with a `DeletionChange.begin` and no `DeletionChange.finish`, in no order. Blocks.
  var unfinishedDeletions: [PlayerID] { get throws(StoreFailure) }
}
