// A state shared by all shards that adds to every commit of the shards' journals. Any thread; it guards itself.
import Store

package protocol CommitContributor: AnyObject, Sendable {
  /// Adds the changes since the last commit, and those of earlier commits that failed. Called under the lock of the
  /// commits, when a commit is made; `batch` has everything else of it.
  func contribute(to batch: inout Batch)

  /// Everything contributed so far is committed. Called before anybody is notified of the commit.
  func contributionsCommitted()

  /// Changes wait for a commit that no shard's journal waits for.
  var hasChanges: Bool { get }

  /// Makes the next commit hold everything that the contributor has: a start from that commit replays nothing.
  func writeDown()
}
