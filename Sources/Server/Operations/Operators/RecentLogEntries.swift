// The recent log entries for consoles: everything of level info or above, in the log's own words.
//
// Any thread; guarded by a lock. Bounded: old entries are dropped, read or not.
import ConsoleProtocol
import Locks

package final class RecentLogEntries: Sendable {
  package struct Item: Sendable, Equatable {
    /// The entry's number, from 1 and rising by one.
    let number: Int
    /// Milliseconds since 1970.
    let atMs: Int64
    let level: String
    let text: String
  }

  private struct State {
    var items: [Item] = []
    var last = 0
  }

  /// The entries that are sent at once.
  static let entriesMax = 20
  private static let keptMax = 100
  private let state = OrderedMutex(.leaf, State())

  package init() {}

  package func add(atMs: Int64, level: String, _ text: String) {
    state.withLock { state in
      state.last += 1
      if state.items.count == Self.keptMax { state.items.removeFirst() }
      state.items.append(Item(number: state.last, atMs: atMs, level: level, text: text))
    }
  }

  /// The newest entries after a number, oldest first.
  func items(after number: Int) -> [Item] {
    state.withLock { Array($0.items.lazy.filter { $0.number > number }.suffix(Self.entriesMax)) }
  }
}

extension RecentLogEntries.Item {
  var message: FeedLogEntry {
    .with {
      $0.number = Int64(number)
      $0.atMs = atMs
      $0.level = level
      $0.text = text
    }
  }
}
