// The rules of places and capsules that look at the store: behind each acknowledgement, when the server has begun anew,
// and at the end; and the rule for players who stand still at the end.
import Game
import MadangProtocol
import Net
import Store

extension World: PlaceWorld {
  func nameRoommates() {
    let ledger = ledger
    capsules.nameRoommates { ledger.everIn($0) }
  }

  func isKnown(_ player: String) -> Bool {
    players.contains { $0.playerID == player && !$0.mayBeDeleted }
  }

  // The store.

  /// Checks that the store's capsules are the acknowledged ones, as last edited, and none that nobody has buried.
  func checkCapsules() throws(BrokenRule) {
    nameRoommates()
    var owners: [String] = []
    for record in capsules.records where !owners.contains(record.owner) { owners.append(record.owner) }
    for owner in owners {
      let stored = StoredCapsules(store: store.inner).capsules(of: owner)
      for capsule in stored { try check(capsule) }
      let ids = Set(stored.map(\.id.description))
      for record in capsules.records where record.owner == owner && record.presence.isSure {
        let isThere = record.id.map(ids.contains) ?? false
        try BrokenRule.unless(isThere, .capsulesKept, "the store has lost \(record)")
      }
    }
  }

  func checkStored(_ id: String, of owner: String) throws(BrokenRule) {
    let stored = StoredCapsules(store: store.inner).capsules(of: owner)
    if let capsule = stored.first(where: { $0.id.description == id }) { return try check(capsule) }
    let isLost = capsules[id]?.presence.isSure ?? false
    try BrokenRule.unless(!isLost, .writtenFirst, "the store does not have \(String(describing: capsules[id]))")
  }

  private func check(_ capsule: Capsule) throws(BrokenRule) {
    try capsules.check(capsule, naming: StoredCapsules(store: store.inner).players(namedBy: capsule), isKnown)
  }

  // The end.

  /// The seconds in which any suspicion ends; those that suffice where there can be none; and those in which the
  /// capsules around are read anew.
  private static let standS = (suspects: 28, honest: 5, further: 8)

  /// Checks that players who stand still know the fences that they are in, and the capsules that they can open.
  func checkPlaces() throws(BrokenRule) {
    try checkCapsules()
    let visitors = players.filter { player in
      player.isLoner && player.placeClient.wantsWatch && !player.placeClient.sent.mayBeElsewhere
    }
    guard !visitors.isEmpty else { return }
    let middle = GroundPlace(northM: 30, eastM: 20)
    let places = visitors.map { $0.placeClient.sent.newestPlace ?? middle }
    let isHonest = visitors.allSatisfy { $0.placeClient.sent.isHonest }
    let believedS = isHonest ? Self.standS.honest : Self.standS.suspects
    for second in 0..<believedS + Self.standS.further {
      if second == believedS {
        for (player, place) in zip(visitors, places) { try checkKnown(by: player, at: place, isOwn: true) }
      }
      for (player, place) in zip(visitors, places) where player.state == .ready {
        let isDue = !player.placeClient.isWatching || second == believedS
        if isDue, !player.isAskingToWatch { player.placeClient.watch(at: now) }
        guard player.placeClient.isWatching else { continue }
        var move = Visiting.move(to: place, accuracyM: 5)
        move.timeMs = now.milliseconds
        player.hasSentMoves = true
        player.placeClient.tell(move, at: now)
      }
      try pass(until: now.advanced(milliseconds: 1_000)) { () throws(BrokenRule) in false }
    }
    for (player, place) in zip(visitors, places) { try checkKnown(by: player, at: place, isOwn: false) }
  }

  /// Checks what a player knows who has stood at a place for a while: of capsules the own ones, whose changes are
  /// noticed at once, or after they were read anew all.
  private func checkKnown(by player: Player, at place: GroundPlace, isOwn: Bool) throws(BrokenRule) {
    let client = player.placeClient
    let who = "player \(player.number), at \(place),"
    try BrokenRule.unless(client.isWatching && !client.isSuspect, .fencesConverge, "\(who) watches nothing")
    for fence in fences {
      guard let isIn = fence.mustHold(place, atMs: now.milliseconds) else { continue }
      let isRight = (client.inside[fence.id] != nil) == isIn
      try BrokenRule.unless(isRight, .fencesConverge, "\(who) is in \(client.inside.keys.sorted()), not as \(fence)")
    }
    for record in capsules.records where !isOwn || record.owner == player.playerID {
      guard let id = record.id, record.mustBeSeen(by: player.playerID ?? "", sinceMs: now.milliseconds - 20_000),
        let capsulePlace = record.place.sure
      else { continue }
      let metres = capsulePlace.metres(to: place)
      let isRight = client.openable.contains(id) ? metres < 106 : metres > 94
      try BrokenRule.unless(isRight, .fencesConverge, "\(who) \(metres) m from \(record): \(client.openable)")
    }
    if !isOwn { report.placeChecks += 1 }
  }
}
