// One player at one fence: inside or outside, by the fixes. A small value that knows neither the fence nor the player.
//
// Two fixes in a row decide, so that no single error does. The lines for entering and leaving lie so far apart that a
// receiver's errors hardly ever reach from one to the other.
// Decisions: 109 (docs/decisions).

/// The state of one player at one fence.
package struct FenceStay: Hashable, Sendable {
  package enum State: UInt8, Hashable, Sendable {
    case outside
    /// The newest fix said inside, the first to do so.
    case entering
    case inside
    /// The newest fix said outside, the first to do so.
    case leaving
  }

  package private(set) var state: State
  /// Whether `dwelled` has come for this stay.
  package var isDwellTold = false
  /// The time of the fix with which the stay began.
  package private(set) var enteredAt = Instant(milliseconds: 0)

  package init(_ state: State = .outside) {
    self.state = state
  }

  package var isInside: Bool { state == .inside || state == .leaving }
  /// Whether the next fix decides.
  package var isWaiting: Bool { state == .entering || state == .leaving }

  /// Takes a fix by its depth inside the fence, in mm. Returns whether the player has entered, or left.
  package mutating func take(depthMm: Int64, halfDepthMm: Int64, accuracyM: UInt32, at time: Instant) -> Bool {
    let lines = FenceLines(halfDepthMm: halfDepthMm, accuracyM: accuracyM)
    if isInside {
      guard depthMm <= lines.outsideMm else {
        state = .inside
        return false
      }
      guard state == .leaving || depthMm <= lines.surelyOutsideMm else {
        state = .leaving
        return false
      }
      state = .outside
    } else {
      guard depthMm >= lines.insideMm else {
        state = .outside
        return false
      }
      guard state == .entering || depthMm >= lines.surelyInsideMm else {
        state = .entering
        return false
      }
      state = .inside
      enteredAt = time
      isDwellTold = false
    }
    return true
  }

  /// The time of `dwelled`, unless it has come or the player leaves; nil for never.
  package func dwellDue(afterS dwellS: Int64?) -> Instant? {
    guard isInside, !isDwellTold, let dwellS else { return nil }
    return enteredAt + .seconds(dwellS)
  }
}
