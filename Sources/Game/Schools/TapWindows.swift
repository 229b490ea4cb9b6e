// The sliding windows of who taps: what each player has counted in the last seconds. A value, owned by the tally. Windows lie
// in a pool, of a few words each, and one that has run out is taken over by the next player who needs one: the pool grows
// only while more than half of it is in use, so that memory goes with who taps now and not with who ever did. They are not
// durable: after a restart they begin anew.

/// The counted batches of the last `TapRules.windowMs`, by player.
///
/// A window is half-open: at the moment `t` a batch is in the window of `w` ms when it counted after `t - w` and not after
/// `t`. So one that counted exactly `w` ms ago is out of it. As at most `batchesMax` are in any `batchWindowMs`, the number
/// in a window has a bound, and each has its place.
struct TapWindows: Sendable {
  private struct Window {
    var newest = Instant(milliseconds: 0)
    var owner: UInt32
    var sum: UInt16 = 0
    var first: UInt8 = 0
    var count: UInt8 = 0
  }

  static let batchesPerWindow = TapRules.batchesMax * Int(TapRules.windowMs / TapRules.batchWindowMs)
  /// So many windows are made before any is looked for.
  private static let capacityMin = 64

  private var windows: ContiguousArray<Window> = []
  /// For each window a ring of `batchesPerWindow`: the count in the lowest 8 bits, above them 24 bits of the time in ms, which
  /// are enough to tell ages in a window whose newest batch is known to be young.
  private var batches: ContiguousArray<UInt32> = []
  /// Windows that had run out when all were looked at last; one whose player has come back since is skipped.
  private var free: ContiguousArray<UInt32> = []
  /// So many windows, and those that have run out are looked for before another is made.
  private var capacityMax = capacityMin

  /// How many windows there are, in use or run out.
  var capacity: Int { windows.count }

  /// How long until so many taps would fit; 0 when they do now. `window` is where the player's window was last; `now` never
  /// goes back.
  mutating func waitMs(for taps: Int64, of player: UInt32, in window: UInt32, at now: Instant) -> Int64 {
    guard isOwned(window, by: player) else { return 0 }
    let window = Int(window)
    dropOld(in: window, at: now)
    return max(batchWaitMs(in: window, at: now), sumWaitMs(for: taps, in: window, at: now))
  }

  /// Takes a batch in that fits, as `waitMs` has just said. Returns where the player's window is now.
  mutating func add(_ taps: Int64, of player: UInt32, in window: UInt32, at now: Instant) -> UInt32 {
    let index = isOwned(window, by: player) ? Int(window) : takeOver(for: player, at: now)
    precondition(windows[index].count < Self.batchesPerWindow, "a batch that fits has a place")
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

  /// Where the `number`-th batch of a window is, the oldest being 0.
  private func place(_ number: Int, in window: Int) -> Int {
    let place = Int(windows[window].first) + number
    return window * Self.batchesPerWindow + (place < Self.batchesPerWindow ? place : place - Self.batchesPerWindow)
  }

  /// How long ago a batch of a window counted whose newest is younger than 4 hours.
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

  /// Until fewer than `batchesMax` are in the last `batchWindowMs`.
  private func batchWaitMs(in window: Int, at now: Instant) -> Int64 {
    let count = Int(windows[window].count)
    guard count >= TapRules.batchesMax else { return 0 }
    return max(0, TapRules.batchWindowMs - ageMs(count - TapRules.batchesMax, in: window, at: now))
  }

  /// Until the oldest are out whose taps these would take the place of.
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

  /// Looks at all windows: as many more may be made as are in use, and those at the end that have run out are given back.
  /// So a look is paid for by the windows that were taken since the one before.
  private mutating func findFree(at now: Instant) {
    while let last = windows.indices.last, last >= Self.capacityMin, hasRunOut(last, at: now) {
      windows.removeLast()
      batches.removeLast(Self.batchesPerWindow)
    }
    for index in windows.indices.reversed() where hasRunOut(index, at: now) { free.append(UInt32(index)) }
    capacityMax = max(Self.capacityMin, 2 * (windows.count - free.count))
  }
}
