// Refused fixes of a shard's rooms are forgotten when they are old.
//
// On the shard's thread, by a timer that is set while any are kept.
import Gateway

extension Rooms {
  private static let evidenceSeconds: Int64 = 30

  /// A room keeps a refused fix: from now on old ones are looked for.
  func awaitForgetting() {
    guard !isForgettingDue else { return }
    isForgettingDue = true
    _ = gateway.core.setTimer(evidenceTimer, at: gateway.core.now.advanced(seconds: Self.evidenceSeconds))
  }

  /// Forgets refused fixes that are old, and looks again while there are others.
  func forgetOldEvidence() {
    isForgettingDue = false
    var isAnyLeft = false
    for live in rooms.values where !live.refusedFixes.isEmpty {
      live.forgetOldEvidence()
      if !live.refusedFixes.isEmpty { isAnyLeft = true }
    }
    if isAnyLeft { awaitForgetting() }
  }
}
