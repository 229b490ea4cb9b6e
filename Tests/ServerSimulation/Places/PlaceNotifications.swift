// The notifications of fences and capsules to a player's client, checked against the fixes that it has sent.
import MadangProtocol
import Net

extension PlaceClient {
  /// Takes a change of a fence: they alternate, and a fix of the player's tells each.
  func take(_ change: WireFenceChange) throws(BrokenRule) {
    let id = change.fence.fenceID
    let who = "player \(player.number), in \(inside.keys.sorted()), was told \(change)"
    // What has happened since an earlier watch is told before the answer to this one.
    if player.isAskingToWatch, !isWatching, change.change != .entered { return }
    try BrokenRule.unless(isWatching, .onlyOwn, who)
    guard let fence = world.fences.first(where: { $0.id == id }) else {
      throw BrokenRule(rule: .fencesTrue, detail: "\(who), and there is no such fence")
    }
    let mayBe = !isSuspect || change.change == .dwelled
    try BrokenRule.unless(mayBe, .suspectsGetNothing, who)
    let depths = sent.fixes(ofMs: change.atMs).map { (fence.depthM(of: $0.place), $0) }
    world.report.fenceChanges += 1
    switch change.change {
    case .entered:
      try BrokenRule.unless(inside[id] == nil, .fencesAlternate, who)
      try BrokenRule.unless(fence.isOpen(atMs: change.atMs), .fencesTrue, "\(who), which is not open")
      try BrokenRule.unless(depths.contains { $0.0 >= -1 }, .fencesTrue, "\(who), outside: \(depths)")
      inside[id] = change.atMs
      dwelled.remove(id)
    case .left where fence.hasClosed(atMs: change.atMs):
      // Told with the next fix, wherever that is; a watch that has begun since does not list the fence.
      inside[id] = nil
    case .left:
      try BrokenRule.unless(inside[id] != nil, .fencesAlternate, who)
      try BrokenRule.unless(depths.contains { $0.0 <= 1 }, .fencesTrue, "\(who), inside: \(depths)")
      inside[id] = nil
    case .dwelled where inside[id] == nil && fence.openMs != nil:
      // The same: it has closed, and the stay in it was long enough before.
      try BrokenRule.unless(dwelled.insert(id).inserted, .fencesAlternate, "\(who) twice")
    case .dwelled:
      guard let entered = inside[id], let dwellS = fence.dwellS else {
        throw BrokenRule(rule: .fencesAlternate, detail: who)
      }
      try BrokenRule.unless(dwelled.insert(id).inserted, .fencesAlternate, "\(who) twice")
      let isLong = entered.map { change.atMs >= $0 + dwellS * 1_000 } ?? true
      try BrokenRule.unless(isLong, .fencesTrue, "\(who), and entered at \(String(describing: entered))")
    case .fenceChangeUnspecified, .UNRECOGNIZED:
      throw BrokenRule(rule: .onlyOwn, detail: who)
    }
  }

  func take(_ openables: WireOpenableCapsules) throws(BrokenRule) {
    try BrokenRule.unless(isWatching, .onlyOwn, "player \(player.number), without a watch, was told \(openables)")
    world.nameRoommates()
    let sinceMs = notifiedSinceMs
    for capsule in openables.capsules {
      try world.capsules.check(capsule, to: playerID, sinceMs: sinceMs)
      guard let record = world.capsules[capsule.capsuleID] else { continue }
      let isNear = sent.wasNear(record.place.possible(sinceMs: sinceMs))
      try BrokenRule.unless(
        isNear,
        .openablesNear,
        "player \(player.number) can open \(capsule) from \(sent.all.suffix(8))"
      )
      openable.insert(capsule.capsuleID)
      world.report.openables += 1
    }
  }

  func take(_ closed: WireClosedCapsules) throws(BrokenRule) {
    for id in closed.capsuleIds {
      let wasOpenable = openable.remove(id) != nil
      try BrokenRule.unless(wasOpenable, .openablesNear, "player \(player.number) was told that \(id) is closed")
    }
  }

  func take(_ verdict: WireVerdict) {
    guard player.isLoner else { return }
    isSuspect = verdict.suspect
    // The fix that ends a suspicion is not believed itself.
    sent.doubt()
  }
}
