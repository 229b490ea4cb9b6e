// When a player's newest abnormal batches were. A value, owned by the tally; only who had one has one. Not durable: after a
// restart the window begins anew, and what made a player suspect before stays.

/// The newest abnormal batches of a player who is not suspect yet: fewer than `TapRules.abnormalsMax`, which is 3.
struct RecentAbnormals: Sendable {
  private var older: Instant?
  private var newer: Instant

  init(first: Instant) {
    newer = first
  }

  /// One more; whether it is the third within `TapRules.abnormalWindowMs`. The window is half-open: a first one exactly so
  /// long ago is out of it.
  mutating func add(at now: Instant) -> Bool {
    let isThird = older.map { now.milliseconds - $0.milliseconds < TapRules.abnormalWindowMs } ?? false
    older = newer
    newer = now
    return isThird
  }
}
