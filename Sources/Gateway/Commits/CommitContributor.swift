// A state that all shards share, which adds to every commit of the shards' journals. Any thread; it guards itself.
import Game
import Store

package protocol CommitContributor: AnyObject, Sendable {
  /// Adds what has changed since the last commit was made, and what commits before it brought that failed. Called under the
  /// lock of the commits, when a commit is made; `batch` has all else of it.
  func contribute(to batch: inout Batch)

  /// All that was contributed so far is committed. Called before anybody hears of the commit.
  func contributionsCommitted()

  /// Changes wait for a commit that no shard's journal waits for.
  var hasChanges: Bool { get }

  /// The next commit is to have all that the contributor has: a start behind it has nothing to do again.
  func writeDown()
}
