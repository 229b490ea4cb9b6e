// The operator's list of words that no text may have, as all shards share it.
//
// Guards itself; any thread. A text is looked through outside of the lock.
// Decisions: 125 (docs/decisions).
import Game
import Locks

package final class SharedWords: Sendable {
  private let list: OrderedMutex<WordList>

  init(_ list: WordList) {
    self.list = OrderedMutex(.leaf, list)
  }

  /// Takes another list; texts that were taken before stay.
  package func replace(_ list: WordList) {
    self.list.withLock { $0 = list }
  }

  func areFound(in text: String) -> Bool {
    let list = list.withLock { $0 }
    return list.isFound(in: text)
  }
}
