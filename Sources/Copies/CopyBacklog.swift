// The pages of commits that the copy lacks. Pages come on the store's writer's queue and are taken by the copy's own;
// a lock is held while a commit's pages are put into their places. Memory is bounded: beyond the bound all pages are
// dropped, and the copy begins another generation.
// Decisions: 153 (docs/decisions).
import Game
import Locks
import Store

package final class CopyBacklog: PageReceiver {
  /// The pages of some commits in a row.
  package struct Changes: Sendable {
    package var pages: PageSet
    package var databasePageCount: UInt32
    package let oldestAt: Instant
    package var newestAt: Instant
  }

  private struct State {
    var changes: Changes?
    /// The time and the reason of the first loss since the last `reset`.
    var loss: (at: Instant, why: String)?
  }

  package static let bytesMax = CopyStatus.waitingBytesMax

  private let bytesMax: Int
  private let now: @Sendable () -> Instant
  private let state = OrderedMutex(.leaf, State())

  package init(bytesMax: Int = CopyBacklog.bytesMax, now: @escaping @Sendable () -> Instant) {
    self.bytesMax = bytesMax
    self.now = now
  }

  package func take(_ pages: CommittedPages) {
    let at = now()
    state.withLock { state in
      guard state.loss == nil else { return }
      var changes =
        state.changes
        ?? Changes(pages: PageSet(pageBytes: pages.pageBytes), databasePageCount: 0, oldestAt: at, newestAt: at)
      state.changes = nil
      guard changes.pages.pageBytes == pages.pageBytes else { return state.loss = (at, "the pages have another size") }
      pages.forEach { changes.pages.put($0, $1) }
      changes.databasePageCount = pages.databasePageCount
      changes.newestAt = max(at, changes.newestAt)
      if changes.pages.byteCount > bytesMax {
        state.loss = (
          changes.oldestAt, "the copy is too far behind: \(changes.pages.byteCount >> 20) MiB of pages wait"
        )
      } else {
        state.changes = changes
      }
    }
  }

  package func lose(_ why: String) {
    let at = now()
    state.withLock { state in
      if state.loss == nil { state.loss = (state.changes?.oldestAt ?? at, why) }
      state.changes = nil
    }
  }

  /// Takes the pages out; nil without any.
  package func take() -> Changes? {
    state.withLock { state in
      defer { state.changes = nil }
      return state.changes
    }
  }

  /// The time and the reason of a loss: pages of some commits are missing since.
  package var loss: (at: Instant, why: String)? { state.withLock { $0.loss } }

  /// The time of the oldest commit that waits.
  package var oldestAt: Instant? { state.withLock { $0.changes?.oldestAt } }

  /// The bytes of the pages that wait.
  package var byteCount: Int { state.withLock { $0.changes?.pages.byteCount ?? 0 } }

  /// Empties the backlog, before a capture begins.
  package func reset() {
    state.withLock { $0 = State() }
  }
}
