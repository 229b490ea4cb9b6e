// Travel plans, over every back end: who sees one, how it is edited, shared, taken over and deleted.
import Game
import Store
import TestSupport
import Testing

@Suite("Every store keeps travel plans")
struct PlanContractTests {
  @Test("A plan is made once, by a known player, and is its author's alone", arguments: BackEnd.allCases)
  func making(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.write(plan(1))
      let opened = OpenedPlan(seen: SeenPlan(plan: plan(1), authorNickname: "가람"))
      #expect(try await store.plan(1, for: 1) == opened)
      #expect(try await store.plan(1, for: 2) == nil)
      #expect(try await store.plan(9, for: 1) == nil)
      #expect(try await store.change(PlanChange.write(plan(1, title: "다른"))) == .written(opened))
      #expect(try await store.change(PlanChange.write(plan(1, of: 2))) == .notFound)
      #expect(try await store.change(PlanChange.write(plan(2, of: 9))) == .notFound)
      var counted = plan(2)
      (counted.version, counted.takenOverCount, counted.stopCount, counted.editedAt) = (7, 7, 7, moment(7))
      counted.origin = PlanOrigin(plan: PlanID(1), author: PlayerID(2))
      #expect(
        try await store.change(PlanChange.write(counted))
          == .written(OpenedPlan(seen: SeenPlan(plan: plan(2), authorNickname: "가람")))
      )
    }
  }

  @Test("An edit names the version that it changes; a stale one brings the newest plan", arguments: BackEnd.allCases)
  func versions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.write(plan(1))
      try await store.add(stop(1, day: 101, text: "글\n둘", at: seoul), to: 1)
      var expected = plan(1)
      (expected.version, expected.editedAt, expected.stopCount) = (2, moment(9), 1)
      let first = OpenedPlan(
        seen: SeenPlan(plan: expected, authorNickname: "가람"),
        stops: [stop(1, day: 101, text: "글\n둘", at: seoul)]
      )
      #expect(try await store.plan(1, for: 1) == first)
      for version: Int64 in [0, 1, 3] {
        #expect(try await store.edit(1, version: version, .addStop(stop(2), index: nil)) == .staleVersion(first))
      }
      #expect(try await store.edit(1, .deleteStop(PlanStopID(2))) == .refused(.stopNotFound))
      #expect(try await store.edit(1, .addStop(stop(2, day: 103), index: nil)) == .refused(.stopOutsideDates))
      #expect(try await store.edit(1, .addStop(stop(1), index: nil)) == .edited(first, isChanged: false))
      #expect(try await store.edit(1, .moveStop(PlanStopID(1), day: nil, index: 0)) == .edited(first, isChanged: false))
      #expect(try await store.plan(1, for: 1) == first)
      for author: UInt128 in [2, 9] {
        #expect(try await store.edit(1, of: author, .deleteStop(PlanStopID(1))) == .notFound)
      }
      let edit = ItineraryEdit.replace(title: "바다", firstDay: 110, lastDay: nil, shiftsStops: true)
      guard case .edited(let edited, isChanged: true) = try await store.edit(1, edit) else { throw TestFailure("none") }
      #expect(edited.seen.plan.days == 110...112 && edited.seen.plan.version == 3 && edited.seen.plan.title == "바다")
      #expect(edited.stops == [stop(1, day: 111, text: "글\n둘", at: seoul)])
      #expect(try await store.plan(1, for: 1) == edited)
    }
  }

  @Test("Stops are kept as they were put, whatever moves around them", arguments: BackEnd.allCases)
  func order(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      try await store.write(plan(1, days: 100...105))
      var expected = Itinerary(title: "여행", days: 100...105)
      func edit(_ edit: ItineraryEdit) async throws {
        expected = try expected.applying(edit)
        guard case .edited(let opened, isChanged: _) = try await store.edit(1, edit) else {
          throw TestFailure("refused")
        }
        let kept = try #require(try await store.plan(1, for: 1))
        #expect(opened == kept && kept.itinerary == expected && kept.seen.plan.stopCount == expected.stops.count)
      }
      for number: UInt128 in 1...12 {
        try await edit(.addStop(stop(number, day: 100 + Int64(number % 4), at: seoul), index: 0))
      }
      for number: UInt128 in 1...12 {
        try await edit(.moveStop(PlanStopID(number), day: 100 + Int64(number % 3), index: Int(number % 2)))
      }
      try await edit(.editStop(PlanStopID(3), PlanStopEdit(title: "새", text: "글", place: .some(nil), day: 105)))
      try await edit(.deleteStop(PlanStopID(6)))
      try await edit(.moveStop(PlanStopID(3), day: 100, index: 1))
      try await edit(.replace(title: nil, firstDay: 90, lastDay: nil, shiftsStops: true))
      #expect(expected.stops.count == 11)
    }
  }

  @Test("A post may have its author's plan, and shows it to who may see the post", arguments: BackEnd.allCases)
  func sharing(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...4)
      try await store.write(plan(1))
      try await store.write(plan(2, of: 2))
      #expect(try await store.change(StoryChange.write(post(1, plan: 2))) == .planNotFound)
      #expect(try await store.change(StoryChange.write(post(1, plan: 9))) == .planNotFound)
      #expect(try await store.storyCounts() == StoryCounts())
      try await store.write(post(1, plan: 1))
      #expect(try await store.post(1, for: 2)?.seen.post.plan == PlanID(1))
      #expect(try await store.allPosts(for: 2).map(\.post.plan) == [PlanID(1)])
      #expect(try await store.plan(1, for: 2)?.seen.plan == plan(1))
      #expect(try await store.edit(1, of: 2, version: 1, .deleteStop(PlanStopID(1))) == .notAuthor)
      #expect(try await store.change(PlanChange.delete(PlanID(1), author: PlayerID(2), version: nil)) == .notAuthor)
      try await store.change(AccountChange.block(PlayerID(1), PlayerID(3)))
      try await store.change(AccountChange.block(PlayerID(4), PlayerID(1)))
      #expect(try await store.plan(1, for: 3) == nil)
      #expect(try await store.plan(1, for: 4) == nil)
      #expect(try await store.change(takeOver(1, as: 5, by: 3)) == .blocked)
      #expect(try await store.change(takeOver(1, as: 5, by: 4)) == .notFound)
      #expect(try await store.edit(1, of: 3, version: 1, .deleteStop(PlanStopID(1))) == .notAuthor)
      #expect(try await store.change(StoryChange.hide(.post(PostID(1)), isHidden: true)) == .hidden)
      #expect(try await store.plan(1, for: 2) == nil)
      try await store.write(post(2, plan: 1))
      #expect(try await store.plan(1, for: 2) != nil)
      #expect(try await store.change(PlanChange.hide(PlanID(9), isHidden: true)) == .notFound)
      for _ in 1...2 { #expect(try await store.change(PlanChange.hide(PlanID(1), isHidden: true)) == .hidden) }
      #expect(try await store.plan(1, for: 2) == nil)
      #expect(try await store.plan(1, for: 1)?.seen.isHidden == true)
      #expect(try await store.change(PlanChange.hide(PlanID(1), isHidden: false)) == .hidden)
      #expect(try await store.plan(1, for: 2)?.seen.isHidden == false)
      func edit(_ plan: FieldEdit<PlanID>) async throws -> StoryOutcome {
        try await store.change(
          StoryChange.edit(PostEdit(id: PostID(2), author: PlayerID(1), plan: plan, at: moment(9)))
        )
      }
      #expect(try await edit(.replaced(PlanID(2))) == .planNotFound)
      #expect(try await edit(.removed) != .planNotFound)
      #expect(try await store.post(2, for: 2)?.seen.post.plan == nil)
      #expect(try await store.plan(1, for: 2) == nil)
      #expect(try await edit(.replaced(PlanID(1))) != .planNotFound)
      #expect(try await store.post(2, for: 2)?.seen.post.version == 3)
      #expect(try await store.plan(1, for: 2) != nil)
      #expect(try await store.change(StoryChange.delete(PostID(2), author: PlayerID(1))) != .notFound)
      #expect(try await store.plan(1, for: 2) == nil)
    }
  }

  @Test(
    "Taking over makes a shifted copy with its credit, and counts once for each player",
    arguments: BackEnd.allCases
  )
  func takingOver(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.write(plan(1))
      for number: UInt128 in 1...3 {
        try await store.add(stop(number, day: 99 + Int64(number), text: "글", at: seoul), to: 1)
      }
      try await store.write(post(1, plan: 1))
      let outcome = try await store.change(takeOver(1, as: 2, by: 2))
      guard case .takenOver(let copy, takenOverCount: 1, isCounted: true) = outcome else {
        throw UnexpectedOutcome(outcome: outcome)
      }
      var expected = plan(2, of: 2, days: 200...202)
      expected = Plan(
        id: expected.id,
        author: expected.author,
        title: expected.title,
        days: expected.days,
        stopCount: 3,
        writtenAt: moment(7),
        origin: PlanOrigin(plan: PlanID(1), author: PlayerID(1))
      )
      #expect(
        copy.seen.plan == expected && copy.stops.map(\.day) == [200, 201, 202] && copy.stops.numbers == [1, 2, 3]
      )
      #expect(copy.stops.allSatisfy { $0.text == "글" && $0.place == seoul })
      #expect(copy.seen.credit == PlanCredit(author: PlayerID(1), nickname: "가람", plan: PlanID(1)))
      #expect(try await store.plan(2, for: 2) == copy)
      #expect(try await store.plan(2, for: 1) == nil)
      #expect(try await store.plan(1, for: 2)?.seen.isTaken == true)
      #expect(try await store.plan(1, for: 3)?.seen.isTaken == false)
      #expect(
        try await store.change(takeOver(1, as: 2, by: 2)) == .takenOver(copy, takenOverCount: 1, isCounted: false)
      )
      #expect(try await store.change(takeOver(1, as: 2, by: 3)) == .notFound)
      for (copy, player) in [(3, 2), (4, 1)] as [(UInt128, UInt128)] {
        guard
          case .takenOver(_, takenOverCount: 1, isCounted: false) =
            try await store.change(takeOver(1, as: copy, by: player))
        else { throw TestFailure("counted again") }
      }
      #expect(try await store.plan(1, for: 1)?.seen.plan.takenOverCount == 1)
      guard case .takenOver(_, takenOverCount: 2, isCounted: true) = try await store.change(takeOver(1, as: 5, by: 3))
      else { throw TestFailure("not counted") }
      // The author's own copy has no credit, and that of a copy has the copy's.
      #expect(try await store.plan(4, for: 1)?.seen.credit == nil)
      try await store.change(takeOver(2, as: 6, by: 2, firstDay: -5))
      #expect(try await store.plan(6, for: 2)?.seen.plan.origin == PlanOrigin(plan: PlanID(1), author: PlayerID(1)))
      // The copies are apart from the original.
      #expect(try await store.edit(1, .deleteStop(PlanStopID(1))) != .notFound)
      try await store.add(stop(9, day: 200), to: 2, of: 2)
      #expect(try await store.plan(2, for: 2)?.stops.numbers == [1, 9, 2, 3])
      #expect(try await store.plan(1, for: 1)?.stops.numbers == [2, 3])
      #expect(
        try await store.change(takeOver(1, as: 7, by: 2, firstDay: PlanRules.calendar.upperBound))
          == .refused(.outsideCalendar)
      )
      #expect(try await store.change(takeOver(9, as: 8, by: 2)) == .notFound)
      #expect(try await store.change(takeOver(1, as: 8, by: 9)) == .notFound)
      // The original can't be seen any more.
      #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) != .notFound)
      #expect(
        try await store.plan(2, for: 2)?.seen.credit == PlanCredit(author: PlayerID(1), nickname: "가람", plan: nil)
      )
      #expect(try await store.change(takeOver(1, as: 8, by: 2)) == .notFound)
    }
  }

  @Test("A deleted plan is gone from its posts, and copies stay", arguments: BackEnd.allCases)
  func deletion(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.write(plan(1))
      try await store.add(stop(1), to: 1)
      try await store.write(post(1, plan: 1))
      try await store.change(takeOver(1, as: 2, by: 2))
      guard
        case .staleVersion = try await store.change(
          PlanChange.delete(PlanID(1), author: PlayerID(1), version: 1)
        )
      else { throw TestFailure("not stale") }
      #expect(try await store.change(PlanChange.delete(PlanID(1), author: PlayerID(1), version: 2)) == .deleted)
      #expect(try await store.change(PlanChange.delete(PlanID(1), author: PlayerID(1), version: nil)) == .notFound)
      #expect(try await store.plan(1, for: 1) == nil)
      #expect(try await store.plan(1, for: 2) == nil)
      #expect(try await store.post(1, for: 2)?.seen.post.plan == nil)
      #expect(
        try await store.plan(2, for: 2)?.seen.credit == PlanCredit(author: PlayerID(1), nickname: "가람", plan: nil)
      )
      // Its number is not that of another one while anything refers to it.
      try await store.write(plan(3))
      #expect(try await store.post(1, for: 2)?.seen.post.plan == nil)
      #expect(try await store.plan(3, for: 1)?.seen.plan.takenOverCount == 0)
      #expect(try await store.plan(3, for: 2) == nil)
      for _ in 1...2 { try await store.maintain(at: 10) }
      #expect(try await store.post(1, for: 2)?.seen.post.plan == nil)
      let edit = PostEdit(id: PostID(1), author: PlayerID(1), plan: .replaced(PlanID(3)), at: moment(9))
      #expect(try await store.change(StoryChange.edit(edit)) != .planNotFound)
      #expect(try await store.plan(3, for: 2) != nil)
    }
  }

  @Test("Plans are listed in pages, the newest first, while others come and go", arguments: BackEnd.allCases)
  func lists(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for number: UInt128 in 1...5 { try await store.write(plan(number)) }
      try await store.write(plan(6, of: 2))
      let first = try await store.plans(of: 1, limit: 2)
      #expect(first.plans.map(\.plan.id.value) == [5, 4])
      let next = try #require(first.next)
      #expect(try await store.change(PlanChange.delete(PlanID(4), author: PlayerID(1), version: nil)) == .deleted)
      try await store.write(plan(7))
      #expect(try await store.plans(of: 1, before: next, limit: 3).plans.map(\.plan.id.value) == [3, 2, 1])
      #expect(try await store.plans(of: 1, before: next, limit: 3).next == nil)
      #expect(try await store.plans(of: 1, limit: 9).plans.map(\.plan.id.value) == [7, 5, 3, 2, 1])
      #expect(try await store.plans(of: 2).plans.map(\.plan.id.value) == [6])
      #expect(try await store.plans(of: 9) == PlanPage())
    }
  }

  @Test("A player has 1,000 plans, copies too", arguments: BackEnd.allCases)
  func tooMany(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.write(plan(5_000, of: 2))
      try await store.write(post(1, of: 2, plan: 5_000))
      for start: UInt128 in [0, 500] {
        let plans = (start + 1...start + 500).map { PlanChange.write(plan($0)).change }
        try await store.commit(Batch(at: moment(1), changes: plans))
      }
      #expect(try await store.change(PlanChange.write(plan(1_001))) == .tooMany)
      #expect(try await store.change(takeOver(5_000, as: 1_001, by: 1)) == .tooMany)
      #expect(try await store.plan(5_000, for: 1)?.seen.plan.takenOverCount == 0)
      #expect(try await store.change(PlanChange.delete(PlanID(7), author: PlayerID(1), version: nil)) == .deleted)
      try await store.write(plan(1_001))
    }
  }

  @Test("The erasure of a player takes plans, takings over and credits", arguments: BackEnd.allCases)
  func erasure(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      for number: UInt128 in 1...12 {
        try await store.write(plan(number))
        try await store.add(stop(number), to: number)
      }
      try await store.write(plan(100, of: 2))
      try await store.write(post(1, plan: 1))
      try await store.write(post(100, of: 2, plan: 100))
      try await store.change(takeOver(1, as: 101, by: 2))
      for (copy, player) in [(13, 1), (102, 3)] as [(UInt128, UInt128)] {
        try await store.change(takeOver(100, as: copy, by: player))
      }
      #expect(try await store.plan(100, for: 2)?.seen.plan.takenOverCount == 2)
      #expect(try await store.change(DeletionChange.begin(PlayerID(1), at: moment(9))) == .ok)
      #expect(try await store.plan(1, for: 3)?.seen.authorNickname == ErasedText.text)
      #expect(try await store.plan(101, for: 2)?.seen.credit?.nickname == ErasedText.text)
      #expect(try await store.edit(1, version: 2, .deleteStop(PlanStopID(1))) == .notFound)
      #expect(try await store.change(PlanChange.write(plan(50))) == .notFound)
      #expect(try await store.change(takeOver(100, as: 50, by: 1)) == .notFound)
      try await store.delete(PlayerID(1))
      #expect(try await store.plan(1, for: 3) == nil)
      #expect(try await store.plans(of: 1) == PlanPage())
      #expect(try await store.plan(100, for: 2)?.seen.plan.takenOverCount == 1)
      let copy = try #require(try await store.plan(101, for: 2))
      #expect(copy.seen.credit == nil && copy.seen.plan.origin == nil && copy.stops.numbers == [1])
      #expect(try await store.plan(102, for: 3)?.seen.credit?.author == PlayerID(2))
      for _ in 1...2 { try await store.maintain() }
    }
  }

  @Test(
    "A guest who has made or taken over a plan, or is credited, is kept until that is gone",
    arguments: BackEnd.allCases
  )
  func guests(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...4)
      try await store.write(plan(1))
      try await store.write(post(1, plan: 1))
      try await store.change(takeOver(1, as: 2, by: 2))
      #expect(try await store.change(PlanChange.delete(PlanID(2), author: PlayerID(2), version: nil)) == .deleted)
      let later = 40 * 86_400_000 as Int64
      let all = (1...4).map { PlayerID($0) }
      try await store.change(takeOver(1, as: 3, by: 4))
      for _ in 1...2 { try await store.maintain(at: later) }
      #expect(try store.unknownPlayers(among: all) == [PlayerID(3)])
      #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) != .notFound)
      #expect(try await store.change(PlanChange.delete(PlanID(1), author: PlayerID(1), version: nil)) == .deleted)
      for _ in 1...3 { try await store.maintain(at: later + 86_400_000) }
      #expect(try store.unknownPlayers(among: all) == [PlayerID(2), PlayerID(3)])
      #expect(try await store.plan(3, for: 4)?.seen.credit?.author == PlayerID(1))
      #expect(try await store.change(PlanChange.delete(PlanID(3), author: PlayerID(4), version: nil)) == .deleted)
      for _ in 1...3 { try await store.maintain(at: later + 2 * 86_400_000) }
      #expect(try store.unknownPlayers(among: all) == all)
    }
  }
}
