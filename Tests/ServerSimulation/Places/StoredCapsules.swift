// The capsules of the store, read at once, and their comparison with what the referee knows.
import Game
import Store
import Synchronization

struct StoredCapsules {
  let store: any Store

  func capsules(of owner: String) -> [Capsule] {
    guard let owner = PlayerID(owner) else { return [] }
    let found = Mutex<[Capsule]>([])
    store.capsules(ownedBy: owner) { result in
      if case .success(let capsules) = result { found.withLock { $0 = capsules } }
    }
    return found.withLock { $0 }
  }

  func players(namedBy capsule: Capsule) -> Set<String> {
    let found = Mutex<Set<String>>([])
    store.playersNamed(by: capsule.id, of: capsule.owner) { result in
      if case .success(let players?) = result { found.withLock { $0 = Set(players.map(\.description)) } }
    }
    return found.withLock { $0 }
  }
}

extension CapsuleReferee {
  /// Checks a stored capsule and the players whom it names. `isKnown` tells which players surely exist.
  mutating func check(
    _ capsule: Capsule,
    naming named: Set<String>,
    _ isKnown: (String) -> Bool
  ) throws(BrokenRule) {
    let (id, owner) = (capsule.id.description, capsule.owner.description)
    guard let record = recognize(id, title: capsule.title) else {
      throw BrokenRule(rule: .capsulesKept, detail: "nobody has buried \(capsule)")
    }
    // An account whose deletion has no answer may be there.
    let isRight =
      record.presence.mayBeThere(sinceMs: .max) && record.owner == owner && record.title.current.contains(capsule.title)
      && record.text.current.contains(capsule.text) && record.everyone.current.contains(capsule.isForEveryone)
      && record.place.current.contains(GroundPlace(latE7: capsule.place.latE7, lngE7: capsule.place.lngE7))
    try BrokenRule.unless(isRight, .capsulesKept, "the store has \(capsule), of \(record)")
    let range = record.countRange(sinceMs: .max)
    let isCounted = range.contains(Int(capsule.openCount))
    try BrokenRule.unless(isCounted, .openingsCounted, "the store has \(capsule), of \(range), \(record)")
    for player in named {
      let mayBe = record.named[player]?.current.contains(true) ?? false
      try BrokenRule.unless(mayBe, .capsulesPrivate, "\(player) may open \(capsule), of \(record)")
    }
    for (player, isNamed) in record.named where isNamed.sure == true && isKnown(player) {
      try BrokenRule.unless(named.contains(player), .capsulesKept, "\(player) may not open \(capsule), of \(record)")
    }
  }
}
