// When a player's newest abnormal batches were. A value, owned by the tally; only who had one has one. Not durable: after a
// restart the window begins anew, and what made a player suspect before stays.

/// The newest abnormal batches of a player who is not suspect yet: fewer than `TapRules.abnormalsMax`.
struct RecentAbnormals: Sendable {
  /// Oldest first.
  private var instants: [Instant] = []

  /// One more; whether there are now `TapRules.abnormalsMax` within `TapRules.abnormalWindowMs`. The window is half-open: one
  /// exactly so long ago is out of it. `now` never goes back.
  mutating func add(at now: Instant) -> Bool {
    instants.removeAll { now.milliseconds - $0.milliseconds >= TapRules.abnormalWindowMs }
    instants.append(now)
    return instants.count >= TapRules.abnormalsMax
  }
}
