// The sliding windows of active players: each player's counts in the last seconds. A value, owned by the tally. Windows
// lie in a pool, of a few words each, and the next player who needs one takes over an expired one. The pool grows only
// while more than half of it is in use, so that memory grows with current players, not with all past ones. Windows are
// not durable: after a restart they start again.

/// The counted batches of the last `TapRules.windowMs`, by player.
///
/// A window is half-open: at the moment `t` a batch is in the window of `w` ms when it counted after `t - w` and not
/// after `t`, so one from exactly `w` ms ago is out of it. At most `batchesMax` are in any `batchWindowMs`, so the
/// number in a window has a bound, and each has its place.
struct TapWindows: Sendable {
  private struct Window {
    var newest = Instant(milliseconds: 0)
    var owner: UInt32
    var sum: UInt16 = 0
    var first: UInt8 = 0
    var count: UInt8 = 0
  }

  static let batchesPerWindow = TapRules.batchesMax * Int(TapRules.windowMs / TapRules.batchWindowMs)
  /// The number of windows that are made before expired ones are looked for.
  private static let capacityMin = 64

  private var windows: ContiguousArray<Window> = []
  /// For each window a ring of `batchesPerWindow`: the count in the lowest 8 bits, above them 24 bits of the time in
  /// ms, which are enough for ages in a window whose newest batch is known to be young.
  private var batches: ContiguousArray<UInt32> = []
  /// Windows that had expired at the last look at all; one whose player has come back since is skipped.
  private var free: ContiguousArray<UInt32> = []
  /// The number of windows at which expired ones are looked for before another is made.
  private var capacityMax = capacityMin

  /// The number of windows, in use or expired.
  var capacity: Int { windows.count }

  /// The time until this many taps fit; 0 when they fit now. `window` is the last position of the player's window;
  /// `now` never goes back.
  mutating func waitMs(for taps: Int64, of player: UInt32, in window: UInt32, at now: Instant) -> Int64 {
    guard isOwned(window, by: player) else { return 0 }
    let window = Int(window)
    dropOld(in: window, at: now)
    return max(batchWaitMs(in: window, at: now), sumWaitMs(for: taps, in: window, at: now))
  }

  /// Adds a batch that fits by `waitMs`. Returns the current position of the player's window.
  mutating func add(_ taps: Int64, of player: UInt32, in window: UInt32, at now: Instant) -> UInt32 {
    let index = isOwned(window, by: player) ? Int(window) : takeOver(for: player, at: now)
    precondition(windows[index].count < Self.batchesPerWindow, "a window has room for a counted batch")
    let place = place(Int(windows[index].count), in: index)
    batches[place] = UInt32(truncatingIfNeeded: now.milliseconds) << 8 | UInt32(taps)
    windows[index].count += 1
    windows[index].sum += UInt16(taps)
    windows[index].newest = now
    return UInt32(index)
  }

  private func isOwned(_ window: UInt32, by player: UInt32) -> Bool {
    window < windows.count && windows[Int(window)].owner == player
  }

  /// The position of a window's `number`-th batch, the oldest being 0.
  private func place(_ number: Int, in window: Int) -> Int {
    let place = Int(windows[window].first) + number
    return window * Self.batchesPerWindow + (place < Self.batchesPerWindow ? place : place - Self.batchesPerWindow)
  }

  /// The age of a batch in a window whose newest is younger than 4 hours.
  private func ageMs(_ number: Int, in window: Int, at now: Instant) -> Int64 {
    Int64(UInt32(truncatingIfNeeded: now.milliseconds) << 8 &- (batches[place(number, in: window)] & ~0xFF)) >> 8
  }

  private func taps(_ number: Int, in window: Int) -> UInt16 {
    UInt16(batches[place(number, in: window)] & 0xFF)
  }

  private func hasRunOut(_ window: Int, at now: Instant) -> Bool {
    now.milliseconds - windows[window].newest.milliseconds >= TapRules.windowMs
  }

  private mutating func dropOld(in window: Int, at now: Instant) {
    guard !hasRunOut(window, at: now) else {
      windows[window].count = 0
      windows[window].sum = 0
      return
    }
    while windows[window].count > 0, ageMs(0, in: window, at: now) >= TapRules.windowMs {
      windows[window].sum -= taps(0, in: window)
      windows[window].count -= 1
      windows[window].first = UInt8((Int(windows[window].first) + 1) % Self.batchesPerWindow)
    }
  }

  /// The time until fewer than `batchesMax` are in the last `batchWindowMs`.
  private func batchWaitMs(in window: Int, at now: Instant) -> Int64 {
    let count = Int(windows[window].count)
    guard count >= TapRules.batchesMax else { return 0 }
    return max(0, TapRules.batchWindowMs - ageMs(count - TapRules.batchesMax, in: window, at: now))
  }

  /// The time until enough of the oldest taps are out for these.
  private func sumWaitMs(for taps: Int64, in window: Int, at now: Instant) -> Int64 {
    var excess = Int64(windows[window].sum) + taps - TapRules.tapsMax
    var number = 0
    while excess > 0 {
      excess -= Int64(self.taps(number, in: window))
      number += 1
    }
    return number == 0 ? 0 : TapRules.windowMs - ageMs(number - 1, in: window, at: now)
  }

  private mutating func takeOver(for player: UInt32, at now: Instant) -> Int {
    if let index = takeFree(at: now) {
      windows[index] = Window(owner: player)
      return index
    }
    if windows.count >= capacityMax {
      findFree(at: now)
      if let index = takeFree(at: now) {
        windows[index] = Window(owner: player)
        return index
      }
    }
    windows.append(Window(owner: player))
    batches.append(contentsOf: repeatElement(0, count: Self.batchesPerWindow))
    return windows.count - 1
  }

  private mutating func takeFree(at now: Instant) -> Int? {
    while let index = free.popLast() {
      if hasRunOut(Int(index), at: now) { return Int(index) }
    }
    return nil
  }

  /// Looks at all windows: gives back expired ones at the end, and allows as many more as are in use. Each look is paid
  /// for by the windows taken since the last one.
  private mutating func findFree(at now: Instant) {
    while let last = windows.indices.last, last >= Self.capacityMin, hasRunOut(last, at: now) {
      windows.removeLast()
      batches.removeLast(Self.batchesPerWindow)
    }
    for index in windows.indices.reversed() where hasRunOut(index, at: now) { free.append(UInt32(index)) }
    capacityMax = max(Self.capacityMin, 2 * (windows.count - free.count))
  }
}
