// Capsules that are hidden, reported or of a blocked owner, over every back end: who sees them.
import Game
import Store
import Testing

@Suite("Every store hides capsules")
struct HiddenCapsuleContractTests {
  private static let earth = MapBox(
    southE7: -850_000_000,
    westE7: -1_800_000_000,
    northE7: 850_000_000,
    eastE7: 1_790_000_000
  )

  /// Whether a player sees the capsule in each read that could show it.
  private func sights(of capsule: Capsule, for player: UInt128, _ store: any Store) async throws -> [Bool] {
    let (id, place) = (capsule.id, capsule.place)
    let near = NearCapsule(number: id.number, place: place)
    let box = try #require(Self.earth)
    var sights = [
      try await store.capsule(id.value, visibleTo: player) != nil,
      try await store.capsules(near: place, visibleTo: player).contains(near),
      try await store.lookUp(near, for: player) != nil,
    ]
    let scope: CapsuleScope = capsule.isForEveryone ? .everyone : .sharedWithMe
    for sort in [CapsuleSort.latest, .oldest, .nearest(busan), .furthest(busan)] {
      sights.append(try await store.pages(scope, by: sort, of: player, limit: 1).contains { $0.id == id })
    }
    guard case .capsules(let capsules) = try await store.map(box, scope, of: player) else { return [] }
    sights.append(capsules.contains { $0.id == id })
    let best = try await store.highlights(scope, of: player, at: busan)
    let highlights = [
      best.nearest, best.furthest, best.newest, best.oldest, best.closedLongest, best.closedShortest, best.leastOpened,
      best.mostOpened,
    ]
    sights.append(highlights.contains { $0?.id == id })
    let outcome = try await store.change(open(id.value, by: player, at: place))
    sights.append(outcome != .notFound)
    return sights
  }

  private func expect(_ sees: Bool, _ capsule: Capsule, for player: UInt128, _ store: any Store) async throws {
    let sights = try await sights(of: capsule, for: player, store)
    #expect(sights == Array(repeating: sees, count: 10), "player \(player)")
  }

  @Test(
    "A capsule that was reported away is its owner's alone, and comes back to all",
    arguments: BackEnd.allCases,
    [true, false]
  )
  func hidden(backEnd: BackEnd, isForEveryone: Bool) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...6)
      let capsule = capsule(1, forEveryone: isForEveryone)
      try await store.bury(capsule, sharedWith: 2, 3, 4, 5)
      try await expect(true, capsule, for: 2, store)
      try await store.change(report(.firstCapsule, by: 3, from: 3))
      try await expect(false, capsule, for: 3, store)
      try await expect(true, capsule, for: 2, store)
      try await store.reportAway(.firstCapsule, by: 4...5)
      try await expect(false, capsule, for: 2, store)
      let own = try #require(try await store.capsule(1, visibleTo: 1))
      #expect(own.isHidden && own.isForEveryone == isForEveryone)
      #expect(try await store.pages(.own, by: .latest, of: 1, limit: 5).map(\.isHidden) == [true])
      // The owner's changes meanwhile hold when it is shown again.
      let edit = CapsuleEdit(id: capsule.id, owner: PlayerID(1), title: "다른", place: busan, at: moment(60))
      try await store.change(CapsuleChange.edit(edit))
      try await expect(false, capsule, for: 2, store)
      #expect(try await store.change(decide(.firstCapsule, .restore)) != .notFound)
      var moved = capsule
      moved.place = busan
      try await expect(true, moved, for: 2, store)
      try await expect(false, moved, for: 3, store)
      #expect(try await store.capsule(1, visibleTo: 1)?.isHidden == false)
    }
  }

  @Test("A hidden capsule can be shared and deleted by its owner", arguments: BackEnd.allCases)
  func owner(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for number: UInt128 in 1...2 { try await store.bury(capsule(number)) }
      for number: UInt128 in 1...2 {
        #expect(try await store.change(decide(.capsule(CapsuleID(number)), .hide)) != .notFound)
      }
      func share(_ everyone: Bool) async throws {
        try await store.change(
          CapsuleChange.share(CapsuleID(1), owner: PlayerID(1), everyone: everyone, with: [], without: [])
        )
      }
      try await share(false)
      #expect(try await store.capsule(1, visibleTo: 1)?.isForEveryone == false)
      try await share(true)
      #expect(try await store.capsule(1, visibleTo: 2) == nil)
      #expect(try await store.change(decide(.firstCapsule, .restore)) != .notFound)
      #expect(try await store.pages(.everyone, by: .latest, of: 2, limit: 5).map(\.id) == [CapsuleID(1)])
      #expect(try await store.change(CapsuleChange.delete(CapsuleID(2), owner: PlayerID(1))) == .deleted)
      #expect(try await store.moderated(.state(.hiddenByOperator)).isEmpty)
    }
  }

  @Test(
    "A blocked owner's capsules are nowhere for who has blocked them, and a blocked player is shared nothing",
    arguments: BackEnd.allCases
  )
  func blocks(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      let (common, own) = (capsule(1), capsule(2, forEveryone: false))
      try await store.bury(common)
      try await store.bury(own, sharedWith: 2, 3)
      // Others stay, also where the blocked owner's lie before them.
      for number: UInt128 in 11...14 { try await store.bury(capsule(number, of: 3, at: busan, day: 1)) }
      for number: UInt128 in 21...24 { try await store.bury(capsule(number, day: Int64(number))) }
      #expect(try await store.change(AccountChange.block(PlayerID(2), PlayerID(1))) == .ok)
      for capsule in [common, own] { try await expect(false, capsule, for: 2, store) }
      try await expect(true, own, for: 3, store)
      for sort in [CapsuleSort.latest, .oldest, .nearest(seoul), .furthest(seoul)] {
        let pages = try await store.pages(.everyone, by: sort, of: 2, limit: 3)
        #expect(Set(pages.map(\.id.value)) == [11, 12, 13, 14] && pages.count == 4)
      }
      #expect(try await store.highlights(.everyone, of: 2, at: seoul).nearest?.owner == PlayerID(3))
      #expect(try await store.change(AccountChange.unblock(PlayerID(2), PlayerID(1))) == .ok)
      try await expect(true, common, for: 2, store)
      // The other way: what was shared with a player goes with a block, and nothing more comes.
      #expect(try await store.change(AccountChange.block(PlayerID(1), PlayerID(3))) == .ok)
      #expect(try await store.named(by: 2, of: 1) == [])
      let share = CapsuleChange.share(
        CapsuleID(2),
        owner: PlayerID(1),
        everyone: nil,
        with: [PlayerID(2), PlayerID(3)],
        without: []
      )
      try await store.change(share)
      #expect(try await store.named(by: 2, of: 1) == [PlayerID(2)])
    }
  }
}
