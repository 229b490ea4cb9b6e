// Events that happened while nothing could be committed: kept in memory, in their order, until they can be.
//
// Any thread; guarded by a lock, with an atomic value for the look that each event takes. Every shard adds, and the
// first shard writes down. While some are kept or are being written, later events are kept behind them: so the events
// of a player keep their order, on whichever shards they happen. An event that has to be in the commit of what it tells
// of is not kept: that commit takes the kept events of the same players before it, and the later ones wait for it.
// Decisions: 113 (docs/decisions).
import DequeModule
import Game
import Locks
import Store
import Synchronization

final class KeptEvents: Sendable {
  fileprivate struct State {
    /// In the order of their numbers.
    var events: Deque<(number: UInt64, event: WebhookEvent)> = []
    var bytes = 0
    /// The number of the next event that is kept.
    var nextNumber: UInt64 = 0
    /// The places of events that wait for a commit of their own, each by the number of the event behind it.
    var places: [UInt64] = []
    /// Another commit than one of the first shard's has taken events since the newest of those.
    var isTakenElsewhere = false
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
      state.events.append((state.nextNumber, event))
      state.nextNumber += 1
      state.bytes += Self.bytes(of: event)
      var dropped = 0
      while state.bytes > bytesMax, state.events.count > 1, let oldest = state.events.popFirst() {
        state.bytes -= Self.bytes(of: oldest.event)
        dropped += 1
      }
      return (dropped, begin())
    }
  }

  /// Takes a place among the kept events for one that waits for a commit of its own. The caller calls
  /// `take(of:beforePlace:)` with it when that commit is made.
  ///
  /// - Returns: the place, and whether the caller has to see to it that events are written down.
  func takePlace() -> (place: UInt64, isFirst: Bool) {
    state.withLock { state in
      state.places.append(state.nextNumber)
      return (state.nextNumber, begin())
    }
  }

  private func begin() -> Bool { !isKeeping.exchange(true, ordering: .acquiringAndReleasing) }

  /// Takes out what was kept of these players before a place, for the commit that is made with the event of that place.
  func take(of players: Set<PlayerID>, beforePlace place: UInt64) -> [WebhookEvent] {
    state.withLock { state in
      if let index = state.places.firstIndex(of: place) { state.places.remove(at: index) }
      state.isTakenElsewhere = true
      return state.take { $0.number < place && !players.isDisjoint(with: $0.event.players) }
    }
  }

  /// Takes out the oldest events, for a commit of the first shard's that is made: none beyond a place.
  func take() -> [WebhookEvent] {
    state.withLock { state in
      state.isTakenElsewhere = false
      let end = state.places.min() ?? .max
      var rest = Self.writtenMax
      return state.take { event in
        guard event.number < end, rest > 0 else { return false }
        rest -= 1
        return true
      }
    }
  }

  /// Whether some events wait for nothing but the first shard's next commit.
  var mayBeTaken: Bool {
    state.withLock { state in
      guard let first = state.events.first else { return false }
      return first.number < state.places.min() ?? .max
    }
  }

  /// Takes out all events, for a last commit.
  func takeAll() -> [WebhookEvent] {
    state.withLock { state in state.take { _ in true } }
  }

  /// Ends the keeping where nothing is kept or waits, and all that was taken is committed. The caller is behind a
  /// commit of the first shard's.
  ///
  /// - Returns: whether the keeping has ended.
  func end() -> Bool {
    state.withLock { state in
      guard state.events.isEmpty, state.places.isEmpty, !state.isTakenElsewhere else { return false }
      isKeeping.store(false, ordering: .releasing)
      return true
    }
  }

  fileprivate static func bytes(of event: WebhookEvent) -> Int { event.bytes.count + overheadBytes }
}

extension KeptEvents.State {
  fileprivate mutating func take(where isTaken: ((number: UInt64, event: WebhookEvent)) -> Bool) -> [WebhookEvent] {
    var taken: [WebhookEvent] = []
    events.removeAll { kept in
      guard isTaken(kept) else { return false }
      taken.append(kept.event)
      return true
    }
    bytes -= taken.reduce(0) { $0 + KeptEvents.bytes(of: $1) }
    return taken
  }
}
