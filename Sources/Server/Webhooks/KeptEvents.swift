// Events that happened while nothing could be committed: kept in memory, in their order, until they can be.
//
// Any thread; guarded by a lock, with an atomic value for the look that each event takes. Every shard adds, and the
// first shard writes down. While some are kept or are being written, later events are kept behind them: so the events
// of a player keep their order, on whichever shards they happen.
// Decisions: 113 (docs/decisions).
import DequeModule
import Locks
import Store
import Synchronization

final class KeptEvents: Sendable {
  private struct State {
    var events: Deque<WebhookEvent> = []
    var bytes = 0
  }

  /// The bytes that are kept unless a server is told otherwise: some 40,000 events.
  static let bytesMax = 16 * 1_024 * 1_024
  /// The events that are written down at once.
  private static let writtenMax = 256
  /// The memory of an event beside its text.
  private static let overheadBytes = 128

  let bytesMax: Int
  private let state = OrderedMutex(.leaf, State())
  private let isKeeping = Atomic<Bool>(false)

  init(bytesMax: Int = KeptEvents.bytesMax) {
    self.bytesMax = bytesMax
  }

  /// Whether events have to be kept, behind those that are.
  var areWaiting: Bool { isKeeping.load(ordering: .acquiring) }

  var bytes: Int { state.withLock { $0.bytes } }

  /// Keeps an event. The oldest ones go where there is no room for it.
  ///
  /// - Returns: the number of those that went, and whether the caller has to see to it that events are written down.
  func keep(_ event: WebhookEvent) -> (dropped: Int, isFirst: Bool) {
    state.withLock { state in
      state.events.append(event)
      state.bytes += Self.bytes(of: event)
      var dropped = 0
      while state.bytes > bytesMax, state.events.count > 1, let oldest = state.events.popFirst() {
        state.bytes -= Self.bytes(of: oldest)
        dropped += 1
      }
      return (dropped, !isKeeping.exchange(true, ordering: .acquiringAndReleasing))
    }
  }

  /// Takes out the oldest events, to be written down; none where no more wait. The caller calls it again when those
  /// are committed.
  func take() -> [WebhookEvent] {
    state.withLock { state in
      let taken = Array(state.events.prefix(Self.writtenMax))
      state.events.removeFirst(taken.count)
      state.bytes -= taken.reduce(0) { $0 + Self.bytes(of: $1) }
      if taken.isEmpty { isKeeping.store(false, ordering: .releasing) }
      return taken
    }
  }

  private static func bytes(of event: WebhookEvent) -> Int { event.bytes.count + overheadBytes }
}
