// The times of players' newest abnormal batches. A value, owned by the tally; only players with a recent one have an
// entry. Not durable: after a restart the window starts again, and suspicion stays. Players without one for a whole
// window are forgotten, so that memory grows with the current senders of abnormal batches, not with all past ones.

/// The newest abnormal batches of players who are not suspect yet, by slot.
struct RecentAbnormals: Sendable {
  /// The least number of players worth a sweep.
  private static let sweepMin = 256

  /// Oldest first, fewer than `TapRules.abnormalsMax` each.
  private var instants: [UInt32: [Instant]] = [:]
  /// The number of players at which expired ones are forgotten.
  private var sweepAt = sweepMin

  /// The number of players with an entry.
  var count: Int { instants.count }

  /// Adds one. Returns whether there are now `TapRules.abnormalsMax` within `TapRules.abnormalWindowMs`; these are then
  /// forgotten. The window is half-open: an entry of exactly its age is out of it. `now` never goes back.
  mutating func add(of player: UInt32, at now: Instant) -> Bool {
    var own = instants[player] ?? []
    own.removeAll { Self.hasRunOut($0, at: now) }
    own.append(now)
    guard own.count < TapRules.abnormalsMax else {
      instants[player] = nil
      return true
    }
    instants[player] = own
    if instants.count >= sweepAt { sweep(at: now) }
    return false
  }

  mutating func forget(_ player: UInt32) {
    instants[player] = nil
  }

  /// Forgets expired players, and waits until the rest has doubled: each sweep is paid for by the players who came
  /// since the last one.
  private mutating func sweep(at now: Instant) {
    instants = instants.filter { $0.value.last.map { !Self.hasRunOut($0, at: now) } ?? false }
    sweepAt = max(Self.sweepMin, 2 * instants.count)
  }

  private static func hasRunOut(_ instant: Instant, at now: Instant) -> Bool {
    now.milliseconds - instant.milliseconds >= TapRules.abnormalWindowMs
  }
}
