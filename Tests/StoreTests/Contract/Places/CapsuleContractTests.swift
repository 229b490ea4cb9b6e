// Capsules and their changes, over every back end: who sees one, what is counted, what is deleted.
import Game
import Store
import Testing

@Suite("Every store keeps capsules")
struct CapsuleContractTests {
  @Test(
    "A capsule is visible to its owner, to those who are named, and to everyone if it is so",
    arguments: BackEnd.allCases
  )
  func visibility(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.bury(capsule(1, forEveryone: false))
      try await store.bury(capsule(2, forEveryone: false), sharedWith: 2, 2, 1, 99)
      try await store.bury(capsule(3))
      for (player, seen): (UInt128, [UInt128]) in [(1, [1, 2, 3]), (2, [2, 3]), (3, [3]), (99, [3])] {
        for number: UInt128 in 1...4 {
          let isSeen = seen.contains(number)
          #expect(try await (store.capsule(number, visibleTo: player) != nil) == isSeen, "\(number) to \(player)")
          if !isSeen { #expect(try await store.change(open(number, by: player)) == .notFound) }
        }
        #expect(try await store.capsules(near: seoul, visibleTo: player).count == seen.count)
      }
      #expect(try await store.named(by: 2, of: 1) == [PlayerID(2)])
      #expect(try await store.named(by: 2, of: 2) == nil)
      #expect(try await store.pages(.own, by: .oldest, of: 1, limit: 2).count == 3)
      #expect(try await store.pages(.sharedWithMe, by: .oldest, of: 2, limit: 2).map(\.id) == [CapsuleID(2)])
      #expect(try await store.pages(.everyone, by: .oldest, of: 3, limit: 2).map(\.id) == [CapsuleID(3)])
    }
  }

  @Test("A lookup finds what is visible to its player and lies there still", arguments: BackEnd.allCases)
  func lookups(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      let all = [(1, false), (2, false), (3, true)].map { number, forEveryone in
        capsule(UInt128(number) << 104 | 7, forEveryone: forEveryone)
      }
      try await store.bury(all[0])
      try await store.bury(all[1], sharedWith: 2)
      try await store.bury(all[2])
      let near = all.map { NearCapsule(number: $0.id.number, place: $0.place) }
      for (player, seen): (UInt128, [Bool]) in [
        (1, [true, true, true]), (2, [false, true, true]), (3, [false, false, true]), (99, [false, false, true]),
      ] {
        let lookups = near.map { CapsuleLookup($0, for: PlayerID(player)) }
        let expected = zip(all, seen).map { $1 ? [$0.summary(hasOpened: false)] : [] }
        #expect(try await store.lookUp(lookups) == expected)
        #expect(try await store.lookUp(lookups.reversed()) == expected.reversed())
      }
      #expect(try await store.lookUp([]) == [])
      #expect(try await store.change(open(3 << 104 | 7, by: 2)) != .notFound)
      #expect(try await store.lookUp(near[2], for: 2)?.hasOpened == true)
      #expect(try await store.lookUp(near[2], for: 3)?.hasOpened == false)
      #expect(try await store.lookUp(NearCapsule(number: 4, place: seoul), for: 1) == nil)
      #expect(try await store.lookUp(NearCapsule(number: 3, place: busan), for: 1) == nil)
      #expect(try await store.change(CapsuleChange.delete(all[2].id, owner: PlayerID(1))) == .deleted)
      #expect(try await store.lookUp(near[2], for: 1) == nil)
      // Another one at the same place with the same number.
      let twin = capsule(all[0].id.value + 1, forEveryone: true)
      try await store.bury(twin)
      let both = try await store.lookUp([CapsuleLookup(near[0], for: PlayerID(1))])
      #expect(both.first?.map(\.id) == [all[0].id, twin.id])
      let visible = try await store.lookUp([CapsuleLookup(near[0], for: PlayerID(2))])
      #expect(visible.first?.map(\.id) == [twin.id])
    }
  }

  @Test("Sharing adds and takes away, and no outcome tells who is known", arguments: BackEnd.allCases)
  func sharing(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...4)
      try await store.bury(capsule(1, forEveryone: false), sharedWith: 2, 3)
      func share(_ everyone: Bool?, with: [UInt128] = [], without: [UInt128] = [], by owner: UInt128 = 1)
        async throws -> CapsuleOutcome
      {
        try await store.change(
          CapsuleChange.share(
            CapsuleID(1),
            owner: PlayerID(owner),
            everyone: everyone,
            with: with.map { PlayerID($0) },
            without: without.map { PlayerID($0) }
          )
        )
      }
      let summary = capsule(1, forEveryone: false).summary(hasOpened: false)
      #expect(try await share(nil, with: [4, 77, 1], without: [2]) == .shared(summary))
      #expect(try await store.named(by: 1, of: 1) == [PlayerID(3), PlayerID(4)])
      #expect(try await share(true, by: 2) == .notFound)
      #expect(try await share(true) == .shared(capsule(1).summary(hasOpened: false)))
      #expect(try await store.capsule(1, visibleTo: 2) != nil)
      #expect(try await share(true) == .shared(capsule(1).summary(hasOpened: false)))
      #expect(try await share(false) == .shared(summary))
      #expect(try await store.capsule(1, visibleTo: 2) == nil)
      #expect(try await store.change(CapsuleChange.leave(CapsuleID(1), PlayerID(3))) == .left)
      #expect(try await store.change(CapsuleChange.leave(CapsuleID(9), PlayerID(3))) == .left)
      #expect(try await store.named(by: 1, of: 1) == [PlayerID(4)])
      let strangers = (1_000..<1_000 + UInt128(Capsule.namedMax)).map { $0 }
      #expect(try await share(nil, with: strangers) == .tooMany)
      #expect(try await share(nil, with: Array(strangers.dropFirst())) == .shared(summary))
      #expect(try await share(nil, with: strangers, without: [4]) == .shared(summary))
      #expect(try await store.named(by: 1, of: 1) == [])
    }
  }

  @Test(
    "A player has at most 50 capsules of one owner of which they have opened none, and none of one whom they block",
    arguments: BackEnd.allCases
  )
  func sharers(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      for id in 1...UInt128(Capsule.sharedByOneMax) {
        try await store.bury(capsule(id, forEveryone: false), sharedWith: 2, 3)
      }
      let full = CapsuleOutcome.full([PlayerID(2), PlayerID(3)])
      let more = capsule(UInt128(Capsule.sharedByOneMax) + 1, forEveryone: false)
      let names = [PlayerID(3), PlayerID(2), PlayerID(77)]
      #expect(try await store.change(CapsuleChange.bury(more, sharedWith: names)) == full)
      #expect(try await store.capsule(UInt128(Capsule.sharedByOneMax) + 1, visibleTo: 1) == nil, "nothing is half-kept")
      try await store.bury(more)
      let share = CapsuleChange.share(more.id, owner: PlayerID(1), everyone: true, with: names, without: [])
      #expect(try await store.change(share) == full)
      #expect(try await store.capsule(UInt128(Capsule.sharedByOneMax) + 1, visibleTo: 2) == nil)
      try await store.bury(capsule(900, of: 3, forEveryone: false), sharedWith: 2)
      func shared() async throws -> Int {
        try await store.page(AskedCapsules(.sharedWithMe, by: .oldest, limit: 256), of: 2).count
      }
      #expect(try await shared() == Capsule.sharedByOneMax + 1)
      #expect(try await store.named(by: UInt128(Capsule.sharedByOneMax) + 1, of: 1) == [])
      // Who has opened one of them is no stranger's target.
      try await store.change(open(1, by: 3))
      #expect(try await store.change(share) == .full([PlayerID(2)]))
      // One that is left makes room.
      try await store.change(CapsuleChange.leave(CapsuleID(1), PlayerID(2)))
      try await store.bury(capsule(901, forEveryone: false), sharedWith: 2)
      #expect(try await store.named(by: 901, of: 1) == [PlayerID(2)])
      #expect(try await store.change(AccountChange.block(PlayerID(2), PlayerID(1))) == .ok)
      #expect(try await shared() == 1)
      try await store.bury(capsule(902, forEveryone: false), sharedWith: 2, 3)
      #expect(try await store.named(by: 902, of: 1) == [PlayerID(3)])
      #expect(try await shared() == 1)
      try await store.change(AccountChange.unblock(PlayerID(2), PlayerID(1)))
      try await store.bury(capsule(903, forEveryone: false), sharedWith: 2)
      #expect(try await shared() == 2)
    }
  }

  @Test("Only the first opening of each player but the owner counts", arguments: BackEnd.allCases)
  func openings(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.bury(capsule(1))
      var whole = capsule(1)
      #expect(try await store.change(open(1, by: 1)) == .opened(whole, isFirst: false))
      whole.openCount = 1
      #expect(try await store.change(open(1, by: 2)) == .opened(whole, isFirst: true))
      let outcomes = try await store.commit([], open(1, by: 2), open(1, by: 3), open(1, by: 3), open(1, by: 9))
      #expect(outcomes[0] == .capsule(.opened(whole, isFirst: false)))
      whole.openCount = 2
      #expect(outcomes[1] == .capsule(.opened(whole, isFirst: true)))
      #expect(outcomes[2] == .capsule(.opened(whole, isFirst: false)))
      #expect(outcomes[3] == .capsule(.notFound))
      let elsewhere = Coordinate(latE7: seoul.latE7 + 1, lngE7: seoul.lngE7)
      #expect(try await store.change(open(1, by: 2, at: elsewhere)) == .placeChanged)
      #expect(try await store.capsule(1, visibleTo: 1)?.hasOpened == false)
      #expect(try await store.capsule(1, visibleTo: 2)?.hasOpened == true)
      #expect(try await store.capsule(1, visibleTo: 9)?.openCount == 2)
      #expect(try await store.capsuleCounts().openings == 2)
    }
  }

  @Test("An edit replaces the given fields of the owner's capsule alone", arguments: BackEnd.allCases)
  func edits(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.bury(capsule(1))
      func edit(_ edit: CapsuleEdit) async throws -> CapsuleOutcome { try await store.change(CapsuleChange.edit(edit)) }
      #expect(try await edit(CapsuleEdit(id: CapsuleID(1), owner: PlayerID(2), title: "x", at: moment(9))) == .notFound)
      #expect(try await edit(CapsuleEdit(id: CapsuleID(2), owner: PlayerID(1), title: "x", at: moment(9))) == .notFound)
      let nothing = CapsuleEdit(id: CapsuleID(1), owner: PlayerID(1), at: moment(9))
      #expect(try await edit(nothing) == .edited(capsule(1).summary(hasOpened: false)))
      #expect(try await store.capsules(ownedBy: 1) == [capsule(1)])
      let text = CapsuleEdit(id: CapsuleID(1), owner: PlayerID(1), text: "새 글", pictures: [], at: moment(9))
      #expect(try await edit(text) == .edited(capsule(1).summary(hasOpened: false)))
      let rest = CapsuleEdit(
        id: CapsuleID(1),
        owner: PlayerID(1),
        title: "t",
        memoryDay: -5,
        place: busan,
        at: moment(10)
      )
      var edited = capsule(1, at: busan, day: -5)
      (edited.title, edited.text, edited.pictures, edited.editedAt) = ("t", "새 글", [], moment(10))
      #expect(try await edit(rest) == .edited(edited.summary(hasOpened: false)))
      #expect(try await store.capsules(ownedBy: 1) == [edited])
      #expect(try await store.capsules(near: seoul, visibleTo: 2) == [])
      #expect(try await store.capsules(near: busan, visibleTo: 2).map(\.place) == [busan])
      #expect(try await store.change(open(1, by: 2)) == .placeChanged)
      #expect(try await store.capsuleCounts() == CapsuleCounts(capsules: 1, openings: 0, bytes: 8))
    }
  }

  @Test("A capsule is buried once, by a known player, up to the bounds", arguments: BackEnd.allCases)
  func bounds(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...30)
      #expect(try await store.change(CapsuleChange.bury(capsule(1, of: 99), sharedWith: [])) == .notFound)
      let crowd = (0...UInt128(Capsule.namedMax)).map { PlayerID(1_000 + $0) }
      #expect(try await store.change(CapsuleChange.bury(capsule(1), sharedWith: crowd)) == .tooMany)
      try await store.bury(capsule(1))
      let again = CapsuleChange.bury(capsule(1, day: 7), sharedWith: [PlayerID(2)])
      #expect(try await store.change(again) == .buried(capsule(1).summary(hasOpened: false)))
      #expect(try await store.change(CapsuleChange.bury(capsule(1, of: 2), sharedWith: [])) == .notFound)
      #expect(try await store.named(by: 1, of: 1) == [])
      let more = (2...UInt128(Capsule.ownedMax) + 1).map { CapsuleChange.bury(capsule($0), sharedWith: []).change }
      let outcomes = try await store.commit(Batch(at: moment(0), changes: more))
      #expect(outcomes.last == .capsule(.tooMany))
      #expect(outcomes.dropLast().allSatisfy { if case .capsule(.buried, _) = $0 { true } else { false } })
      #expect(try await store.capsuleCounts().capsules == Int64(Capsule.ownedMax))
      // Player 2 has room for a thousand: twenty owners share fifty each.
      let shared = (0..<UInt128(Capsule.sharedMax)).map { number in
        let owner = 4 + number / UInt128(Capsule.sharedByOneMax)
        return CapsuleChange.bury(capsule(3_000 + number, of: owner, forEveryone: false), sharedWith: [PlayerID(2)])
          .change
      }
      try await store.commit(Batch(at: moment(0), changes: Array(shared.dropLast())))
      try await store.bury(capsule(2_001, of: 3, forEveryone: false), sharedWith: 2)
      #expect(try await store.named(by: 2_001, of: 3) == [PlayerID(2)])
      let beyond = CapsuleChange.bury(capsule(2_002, of: 3, forEveryone: false), sharedWith: [PlayerID(2)])
      #expect(try await store.change(beyond) == .full([PlayerID(2)]))
    }
  }

  @Test("A deleted capsule is nowhere any more", arguments: BackEnd.allCases)
  func deletion(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.bury(capsule(1), sharedWith: 3)
      try await store.bury(capsule(2, forEveryone: false), sharedWith: 3)
      try await store.change(open(1, by: 2))
      #expect(try await store.change(CapsuleChange.delete(CapsuleID(1), owner: PlayerID(2))) == .notFound)
      for number: UInt128 in 1...2 {
        #expect(try await store.change(CapsuleChange.delete(CapsuleID(number), owner: PlayerID(1))) == .deleted)
        #expect(try await store.change(CapsuleChange.delete(CapsuleID(number), owner: PlayerID(1))) == .notFound)
        #expect(try await store.change(open(number, by: 3)) == .notFound)
      }
      try await store.maintain()
      for player: UInt128 in 1...3 {
        #expect(try await store.capsules(near: seoul, visibleTo: player) == [])
        for scope in CapsuleScope.allCases {
          #expect(try await store.page(AskedCapsules(scope, by: .latest), of: player) == [])
          #expect(try await store.highlights(scope, of: player, at: seoul) == CapsuleHighlights())
        }
      }
      #expect(try await store.capsules(ownedBy: 1) == [])
      #expect(try await store.capsuleCounts() == CapsuleCounts())
    }
  }

  @Test("The erasure of a player takes capsules, names and openings; others' counts stay", arguments: BackEnd.allCases)
  func erasure(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      for number: UInt128 in 1...80 {
        if number <= 50 {
          try await store.bury(capsule(number), sharedWith: 2)
        } else {
          try await store.bury(capsule(number))
        }
      }
      try await store.bury(capsule(100, of: 2, forEveryone: false), sharedWith: 1, 3)
      try await store.change(open(100, by: 1))
      try await store.change(open(1, by: 2))
      #expect(try await store.change(DeletionChange.begin(PlayerID(1), at: moment(9))) == .ok)
      #expect(try await store.change(CapsuleChange.delete(CapsuleID(1), owner: PlayerID(1))) == .notFound)
      #expect(try await store.change(open(100, by: 1)) == .notFound)
      #expect(try await store.capsule(1, visibleTo: 3) != nil)
      try await store.delete(PlayerID(1))
      #expect(try await store.pages(.everyone, by: .latest, of: 3, limit: 50) == [])
      #expect(try await store.page(AskedCapsules(.sharedWithMe, by: .latest), of: 2) == [])
      #expect(try await store.named(by: 100, of: 2) == [PlayerID(3)])
      #expect(try await store.capsule(100, visibleTo: 2)?.openCount == 1)
      #expect(try await store.capsule(100, visibleTo: 1) == nil)
      #expect(try await store.capsuleCounts().capsules == 1)
      try await store.maintain()
    }
  }

  @Test("A guest with a capsule is kept, and forgotten when it is deleted", arguments: BackEnd.allCases)
  func guests(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.bury(capsule(1))
      try await store.change(open(1, by: 2))
      let later = 40 * 86_400_000 as Int64
      try await store.maintain(at: later)
      #expect(try store.unknownPlayers(among: [PlayerID(1), PlayerID(2)]) == [PlayerID(2)])
      #expect(try await store.capsule(1, visibleTo: 9)?.openCount == 1)
      #expect(try await store.change(CapsuleChange.delete(CapsuleID(1), owner: PlayerID(1))) == .deleted)
      try await store.maintain(at: later + 1)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [PlayerID(1)])
    }
  }
}
