// Connections that a loaded shard reads together: right before the moment at which the service sends to all of them.
//
// Owned by one shard and used on its queue. A shard with thousands of connections comes to each of them after all
// others, when the kernel's memory for its socket and the service's for its messages have left the processor's caches.
// It waits for that memory for each arrival, and again when the service sends. Where an arrival only changes what the
// service sends next, it may as well be read just before: then everything is waited for once.
//
// The kernel does not tell what has arrived. So an arrival waits only where the connection's newest message was of the
// kind that may (`Connection.letNextWait`), and only at the pace of such messages.
// Decisions: 171 (docs/decisions).

/// The tokens of the connections whose arrivals wait, in the order of these.
package final class ReadGroup: TokenList {
  /// The longest wait: a group whose moment is later is not waited for.
  package static let waitMicrosecondsMax: Int64 = 100_000

  /// The moment at which the service reads the group; far in the future where it has none.
  private var readDue = Timestamp.distantFuture

  /// The service reads the group at this moment, or gives it up before (`ShardCore.giveUpRead`).
  package func setReadDue(_ time: Timestamp) { readDue = time }

  /// Whether the moment is near enough to wait for.
  func isReadSoon(at now: Timestamp) -> Bool { readDue.microseconds <= now.microseconds + Self.waitMicrosecondsMax }

  /// The memory that an arrival looks at.
  var hint: MemoryHint { MemoryHint(self, bytes: 56) }
  /// The memory that a read looks at.
  package var readHints: GroupHints { GroupHints(hint, MemoryHint(firstMemory), MemoryHint()) }
}

/// The pace of a connection's arrivals, by the newest two.
package struct ArrivalPace {
  /// The milliseconds of the newest one's time, modulo 2³².
  private var newestMs: UInt32 = 0
  /// The milliseconds from the one before to it.
  private var intervalMs: UInt16 = .max

  package init() {}

  package mutating func note(at now: Timestamp) {
    let nowMs = UInt32(truncatingIfNeeded: now.milliseconds)
    intervalMs = UInt16(clamping: nowMs &- newestMs)
    newestMs = nowMs
  }

  /// Whether the next one is in time: no sooner after the newest than three quarters of its interval.
  package func expects(at now: Timestamp) -> Bool {
    let sinceMs = UInt32(truncatingIfNeeded: now.milliseconds) &- newestMs
    return UInt64(sinceMs) * 4 >= UInt64(intervalMs) * 3
  }
}
