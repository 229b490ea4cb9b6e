// When players' newest abnormal batches were. A value, owned by the tally; only who had one lately has one. Not durable: after
// a restart the window begins anew, and what made a player suspect before stays. Who has had none for a window is forgotten,
// so that memory goes with who sends abnormal batches now and not with who ever did.

/// The newest abnormal batches of players who are not suspect yet, by slot.
struct RecentAbnormals: Sendable {
  /// Fewer than this are never worth a look at all.
  private static let sweepMin = 256

  /// Oldest first, fewer than `TapRules.abnormalsMax` each.
  private var instants: [UInt32: [Instant]] = [:]
  /// So many players, and those who have run out are forgotten.
  private var sweepAt = sweepMin

  /// How many players have one.
  var count: Int { instants.count }

  /// One more; whether there are now `TapRules.abnormalsMax` within `TapRules.abnormalWindowMs`, and then they are forgotten.
  /// The window is half-open: one exactly so long ago is out of it. `now` never goes back.
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

  /// Half of them or more are young, or there is room for as many again: so a look at all is paid for by those who came since.
  private mutating func sweep(at now: Instant) {
    instants = instants.filter { $0.value.last.map { !Self.hasRunOut($0, at: now) } ?? false }
    sweepAt = max(Self.sweepMin, 2 * instants.count)
  }

  private static func hasRunOut(_ instant: Instant, at now: Instant) -> Bool {
    now.milliseconds - instant.milliseconds >= TapRules.abnormalWindowMs
  }
}
