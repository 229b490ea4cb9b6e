// The removal of old refused fixes from a shard's rooms.
//
// On the shard's queue, by a timer that is set while any are kept.
import Gateway

extension Rooms {
  private static let refusedFixLookSeconds: Int64 = 30

  /// A room keeps a refused fix: sets the timer that removes old ones.
  func awaitForgetting() {
    guard !isForgettingDue else { return }
    isForgettingDue = true
    _ = gateway.core.setTimer(refusedFixTimer, at: gateway.core.now.advanced(seconds: Self.refusedFixLookSeconds))
  }

  /// Forgets old refused fixes, and sets the timer again while others are left.
  func forgetOldRefusedFixes() {
    isForgettingDue = false
    var isAnyLeft = false
    for live in rooms.values where !live.refusedFixes.isEmpty {
      live.forgetOldRefusedFixes()
      if !live.refusedFixes.isEmpty { isAnyLeft = true }
    }
    if isAnyLeft { awaitForgetting() }
  }
}
