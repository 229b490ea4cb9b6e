// The audiences of one shard, and when they get news.
//
// Owned by the shard's `Stories`. Posts have their ticks, and feeds theirs, which are slower: together a watcher gets
// at most four messages a second.
import Game
import MadangProtocol
import Net
import Store

/// Audiences of one kind: those that wait for the next tick, and those of the tick under way.
final class WatchTicks {
  let kind: WatchKind
  /// The least time from the end of a tick to the beginning of the next one.
  let intervalMs: Int64
  var timer: UInt64 = 0
  private(set) var audiences: [WatchSubject: WatchAudience] = [:]
  /// Dirty ones, in the order of becoming so.
  private var dirty: [WatchAudience] = []
  /// Those of the tick under way that are still to be read, the next one last.
  private var due: [WatchAudience] = []
  /// News that are on their way.
  var delivery: StoryDelivery?
  private(set) var isTicking = false
  private var isTimerSet = false
  private var endedAt = Timestamp(microseconds: 0)

  init(_ kind: WatchKind, intervalMs: Int64) {
    self.kind = kind
    self.intervalMs = intervalMs
  }

  func audience(of subject: WatchSubject) -> WatchAudience {
    if let known = audiences[subject] { return known }
    let new = WatchAudience(subject)
    audiences[subject] = new
    return new
  }

  /// Drops an audience that nobody belongs to any more.
  func dropIfEmpty(_ audience: WatchAudience) {
    guard audience.isEmpty, audiences[audience.subject] === audience else { return }
    audiences[audience.subject] = nil
  }

  /// Notes that an audience is to be looked at in the next tick.
  func mark(_ audience: WatchAudience) {
    guard !audience.isDirty else { return }
    audience.isDirty = true
    dirty.append(audience)
  }

  /// The time for which the timer is to be set now; nil where none is needed.
  func timeToSet(_ isNeeded: Bool, at now: Timestamp) -> Timestamp? {
    guard isNeeded || !dirty.isEmpty, !isTicking, !isTimerSet else { return nil }
    isTimerSet = true
    return max(now, endedAt.advanced(milliseconds: intervalMs))
  }

  func begin() {
    isTimerSet = false
    isTicking = true
    due = dirty.reversed()
    dirty = []
  }

  /// The next audience of the tick.
  func next() -> WatchAudience? {
    while let audience = due.popLast() {
      audience.isDirty = false
      if !audience.sessions.isEmpty { return audience }
      // Who waits for the store will know what it has by then.
      if audience.pendingCount > 0 { mark(audience) }
    }
    return nil
  }

  func end(at now: Timestamp) {
    isTicking = false
    endedAt = now
  }
}

final class LiveStories {
  let posts = WatchTicks(.posts, intervalMs: Limits.postNewsIntervalMs)
  let feeds = WatchTicks(.feeds, intervalMs: Limits.feedNewsIntervalMs)
  /// Acts that the next tick of feeds looks at.
  var feedActs = FeedActs()
  /// Acts of this shard that other shards are still to be told of.
  var outbox: [StoryAct] = []

  subscript(kind: WatchKind) -> WatchTicks { kind == .posts ? posts : feeds }
}
