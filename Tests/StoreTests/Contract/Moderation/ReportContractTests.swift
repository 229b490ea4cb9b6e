// Reports and what they hide, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps reports, and hides what they are about")
struct ReportContractTests {
  @Test("Who reports a post sees it nowhere any more, and everybody else does", arguments: BackEnd.allCases)
  func reporter(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.write(post(1, text: "#바다", in: "KR"))
      let outcome = try await store.change(report(.firstPost, by: 2, [.spam, .hate], text: "광고"))
      let thing = ModeratedSubject(.firstPost, author: PlayerID(1), post: PostID(1))
      #expect(outcome == .reported(thing, isNew: true, hides: false))
      let again = try await store.change(report(.firstPost, by: 2, [.other]))
      #expect(again == .reported(thing, isNew: false, hides: false))
      #expect(try await store.reportedSubjects(by: 2) == [.firstPost])
      for (player, sees) in [(1, true), (2, false), (3, true)] as [(UInt128, Bool)] {
        #expect(try await (store.post(1, for: player) != nil) == sees)
        #expect(try await (store.comments(of: 1, for: player) != nil) == sees)
        #expect(try await store.search("바다", for: player).posts.isEmpty != sees)
        #expect(try await store.topPosts(since: 0, for: player).isEmpty != sees)
        for scope in [FeedScope.everyone, .author(PlayerID(1))] {
          for sort in FeedSort.allCases {
            #expect(try await store.allPosts(scope, by: sort, for: player).isEmpty != sees)
          }
        }
      }
      #expect(try await store.change(like(1, by: 2)) == .notFound)
      #expect(try await store.change(StoryChange.comment(comment(1, on: 1, by: 2))) == .notFound)
      let row = try #require(try await store.moderated().first)
      #expect(row.reports == [ReportText(reasons: ReportReasons([.spam, .hate]), text: "광고", at: moment(10 * dayMs))])
      #expect(row.reportsCount == 1 && row.state == .shown && row.isWaiting && row.title == "여행" && row.text == "#바다")
    }
  }

  @Test("A reported comment is hidden from its reporter, and counts still", arguments: BackEnd.allCases)
  func comments(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...5)
      try await store.write(post(1))
      for number: UInt128 in 1...2 { try await store.change(StoryChange.comment(comment(number, on: 1, by: 2))) }
      try await store.change(report(.firstComment, by: 3, from: 3))
      #expect(try await store.comments(of: 1, for: 3)?.comments.map(\.comment.id) == [CommentID(2)])
      #expect(try await store.post(1, for: 3)?.comments.comments.count == 1)
      #expect(try await store.comments(of: 1, for: 4)?.comments.count == 2)
      try await store.reportAway(.firstComment, by: 4...5)
      #expect(try await store.comments(of: 1, for: 1)?.comments.map(\.comment.id) == [CommentID(2)])
      #expect(try await store.comments(of: 1, for: 2)?.comments.map(\.isHidden) == [true, false])
      #expect(try await store.post(1, for: 1)?.seen.post.counts.comments == 1)
      #expect(try await store.change(decide(.firstComment, .restore)) != .notFound)
      #expect(try await store.comments(of: 1, for: 1)?.comments.count == 2)
      #expect(try await store.comments(of: 1, for: 3)?.comments.count == 1, "its reporter has reported it")
    }
  }

  @Test(
    "Reports of three old accounts from three networks hide a thing from all but its author",
    arguments: BackEnd.allCases
  )
  func hiding(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...6)
      try await store.greet(7...9)
      try await store.write(post(1, in: "KR"))
      // Guests, and accounts from one network.
      for guest: UInt8 in 7...9 { try await store.change(report(.firstPost, by: UInt128(guest), from: guest)) }
      for reporter: UInt128 in 2...4 { try await store.change(report(.firstPost, by: reporter, from: 1)) }
      try await store.change(report(.firstPost, by: 5, from: 2))
      #expect(try await store.post(1, for: 6) != nil)
      let last = try await store.change(report(.firstPost, by: 6, from: 3))
      guard case .reported(_, isNew: true, hides: true) = last else { throw Unexpected(last) }
      try await store.greet(10...10)
      #expect(try await store.post(1, for: 10) == nil)
      #expect(try await store.allPosts(for: 10).isEmpty)
      #expect(try await store.post(1, for: 1)?.seen.isHidden == true)
      #expect(try await store.change(report(.firstPost, by: 10)) == .notFound)
      let row = try #require(try await store.moderated(.state(.hiddenByReports)).first)
      #expect(row.reportsCount == 8 && row.isWaiting)
      #expect(try await store.moderationCounts() == ModerationCounts(waiting: 1, hidden: 1))
    }
  }

  @Test("An account counts from seven days on, to the millisecond", arguments: BackEnd.allCases)
  func ages(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...5, at: 1_000)
      for number: UInt128 in 1...2 { try await store.write(post(number)) }
      for (number, at) in [(1, 7 * dayMs + 999), (2, 7 * dayMs + 1_000)] as [(UInt128, Int64)] {
        for reporter: UInt8 in 2...4 {
          let subject = ReportSubject.post(PostID(number))
          try await store.change(report(subject, by: UInt128(reporter), from: reporter, at: at))
        }
      }
      #expect(try await store.allPosts(for: 5).numbers == [1])
    }
  }

  @Test(
    "What an operator has restored only an operator hides; later reports come to the queue",
    arguments: BackEnd.allCases
  )
  func decisions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...9)
      try await store.write(post(1))
      try await store.reportAway(.firstPost)
      let thing = ModeratedSubject(.firstPost, author: PlayerID(1), post: PostID(1))
      #expect(try await store.change(decide(.firstPost, .restore)) == .decided(thing, isChanged: true))
      #expect(try await store.moderated().isEmpty)
      #expect(try await store.post(1, for: 2) != nil)
      for reporter: UInt8 in 6...8 {
        let outcome = try await store.change(report(.firstPost, by: UInt128(reporter), from: reporter))
        #expect(outcome == .reported(thing, isNew: true, hides: false))
      }
      #expect(try await store.post(1, for: 2) != nil)
      let row = try #require(try await store.moderated().first)
      #expect(row.state == .restored && row.reportsCount == 6 && row.reports.count == 6)
      #expect(try await store.change(decide(.firstPost, .hide)) == .decided(thing, isChanged: true))
      #expect(try await store.change(decide(.firstPost, .hide)) == .decided(thing, isChanged: false))
      #expect(try await store.post(1, for: 2) == nil)
      #expect(try await store.moderated().isEmpty)
      #expect(try await store.moderated(.state(.hiddenByOperator)).map(\.thing) == [thing])
      #expect(try await store.change(decide(.post(PostID(9)), .hide)) == .notFound)
      let audit = try await store.newestAudit()
      #expect(audit.map(\.action) == ["hide", "hide", "restore"])
      #expect(audit.allSatisfy { $0.player == PlayerID(1) && $0.detail == "까닭" })
    }
  }

  @Test(
    "A thing that nobody has reported can be hidden by an operator, and reports wait for no network then",
    arguments: BackEnd.allCases
  )
  func unreported(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...5)
      try await store.write(post(1))
      #expect(try await store.change(decide(.firstPost, .restore)) != .notFound)
      for reporter: UInt8 in 3...5 { try await store.change(report(.firstPost, by: UInt128(reporter), from: reporter)) }
      #expect(try await store.post(1, for: 2) != nil)
      #expect(try await store.moderationCounts() == ModerationCounts(waiting: 1, hidden: 0))
    }
  }

  @Test(
    "Nobody reports themselves or what is not there; who has blocked an author may report them",
    arguments: BackEnd.allCases
  )
  func refusals(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.write(post(1))
      try await store.bury(capsule(1, forEveryone: false), sharedWith: 2)
      try await store.change(StoryChange.comment(comment(1, on: 1, by: 1)))
      for subject in [ReportSubject.firstPost, .firstComment, .firstCapsule, .profile(PlayerID(1))] {
        #expect(try await store.change(report(subject, by: 1)) == .own)
        #expect(try await store.change(report(subject, by: 99)) == .notFound)
        #expect(try await store.change(report(ReportSubject(subject.kind, 77), by: 2)) == .notFound)
      }
      #expect(try await store.change(report(.firstCapsule, by: 3)) == .notFound, "it is not for player 3")
      #expect(try await store.change(AccountChange.block(PlayerID(3), PlayerID(1))) == .ok)
      let outcome = try await store.change(report(.firstPost, by: 3))
      guard case .reported(_, isNew: true, hides: false) = outcome else { throw Unexpected(outcome) }
      guard case .reported = try await store.change(report(.firstCapsule, by: 2)) else { throw Unexpected("capsule") }
    }
  }

  @Test("A player's reports have a bound", arguments: BackEnd.allCases)
  func bound(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      let count = UInt128(Report.reportsOfOneMax)
      for start in stride(from: 1, through: count + 1, by: 200) {
        let posts = (start..<min(start + 200, count + 2)).map { StoryChange.write(post($0)).change }
        try await store.commit(Batch(at: moment(1), changes: posts))
        let reports = (start..<min(start + 200, count + 1)).map { report(.post(PostID($0)), by: 2).change }
        try await store.commit(Batch(at: moment(1), changes: reports))
      }
      #expect(try await store.change(report(.post(PostID(count + 1)), by: 2)) == .tooMany)
      let known = try await store.change(report(.firstPost, by: 2))
      guard case .reported(_, isNew: false, hides: false) = known else { throw Unexpected(known) }
    }
  }

  @Test(
    "The queue has the newest report first, in pages, and is the same however it is read",
    arguments: BackEnd.allCases
  )
  func queue(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...4)
      for number: UInt128 in 1...7 { try await store.write(post(number)) }
      for number: UInt128 in 1...7 {
        try await store.change(report(.post(PostID(number)), by: 2, at: number < 4 ? 100 : 200))
      }
      try await store.change(report(.post(PostID(2)), by: 3, at: 300))
      let order: [UInt128] = [2, 7, 6, 5, 4, 3, 1]
      #expect(try await store.moderated().map(\.thing.subject.id) == order)
      var (paged, cursor): ([UInt128], ModerationCursor?) = ([], nil)
      while true {
        let page = try await store.moderated(.state(.shown), after: cursor, limit: 2)
        guard let last = page.last else { break }
        paged += page.map(\.thing.subject.id)
        cursor = ModerationCursor(of: last)
      }
      #expect(paged == order)
    }
  }
}

@Suite("Every store takes reports along with what they are about")
struct ReportRemovalContractTests {
  @Test(
    "A deleted thing leaves the queue, and a deleted player's reports go without showing it again",
    arguments: BackEnd.allCases
  )
  func deletion(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...6)
      for number: UInt128 in 1...3 { try await store.write(post(number)) }
      try await store.bury(capsule(1))
      try await store.change(StoryChange.comment(comment(1, on: 3, by: 1)))
      try await store.reportAway(.firstPost)
      for subject in [ReportSubject.post(PostID(2)), .firstComment, .firstCapsule, .profile(PlayerID(1))] {
        try await store.change(report(subject, by: 3))
      }
      try await store.delete(PlayerID(3))
      #expect(try await store.post(1, for: 2) == nil, "it stays hidden")
      let row = try #require(try await store.moderated(.state(.hiddenByReports)).first)
      #expect(row.reportsCount == 3 && row.reports.count == 2)
      #expect(try await store.moderated().count == 5)
      for change in [StoryChange.delete(PostID(2), author: PlayerID(1)), .delete(PostID(3), author: PlayerID(1))] {
        try await store.change(change)
      }
      try await store.change(CapsuleChange.delete(CapsuleID(1), owner: PlayerID(1)))
      #expect(try await store.moderated().map(\.thing.subject) == [.profile(PlayerID(1)), .firstPost])
      try await store.maintain(at: 10)
      try await store.delete(PlayerID(1))
      #expect(try await store.moderated().isEmpty)
      #expect(try await store.moderationCounts() == ModerationCounts())
      try await store.maintain(at: 20)
    }
  }

  @Test("A plan that was reported away is its author's alone, and comes back to all", arguments: BackEnd.allCases)
  func plans(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...6)
      try await store.write(plan(1))
      try await store.add(stop(1, text: "글"), to: 1)
      let subject = ReportSubject.plan(PlanID(1))
      #expect(try await store.change(report(subject, by: 2)) == .notFound, "nobody sees it yet")
      try await store.write(post(1, plan: 1))
      try await store.change(report(subject, by: 3, from: 3))
      #expect(try await store.plan(1, for: 3) == nil, "its reporter sees it no more")
      #expect(try await store.change(takeOver(1, as: 9, by: 3)) == .notFound)
      #expect(try await store.plan(1, for: 2) != nil)
      try await store.reportAway(subject, by: 4...5)
      #expect(try await store.plan(1, for: 2) == nil)
      #expect(try await store.plan(1, for: 1)?.seen.isHidden == true)
      let row = try #require(try await store.moderated().first)
      #expect((row.title, row.text, row.thing.author) == ("여행", "stop 1\n글", PlayerID(1)))
      #expect(try await store.change(decide(subject, .restore)) != .notFound)
      #expect(try await store.plan(1, for: 2) != nil)
      #expect(try await store.plan(1, for: 3) == nil)
      try await store.change(report(.firstPost, by: 6))
      #expect(try await store.plan(1, for: 6) == nil, "its post is gone for its reporter")
      try await store.change(PlanChange.delete(PlanID(1), author: PlayerID(1), version: nil))
      #expect(try await store.moderated(.state(.restored)).isEmpty)
      try await store.maintain(at: 10)
    }
  }

  @Test("Of a profile that was reported away others see neither introduction nor picture", arguments: BackEnd.allCases)
  func profiles(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...6)
      try await store.addPicture(7, of: 1)
      let edit = ProfileEdit(player: PlayerID(1), introduction: "소개", picture: .replaced(MediaID(7)))
      try await store.change(ProfileChange.edit(edit))
      let subject = ReportSubject.profile(PlayerID(1))
      func isShown(to viewer: UInt128) async throws -> Bool {
        let profile = try #require(try await store.profile(of: 1, for: viewer))
        #expect((profile.introduction == "소개") == (profile.picture == MediaID(7)))
        return profile.picture != nil
      }
      try await store.change(report(subject, by: 3, from: 3))
      #expect(try await !isShown(to: 3))
      #expect(try await isShown(to: 2))
      try await store.reportAway(subject, by: 4...5)
      #expect(try await !isShown(to: 2))
      #expect(try await isShown(to: 1))
      let row = try #require(try await store.moderated().first)
      #expect(row.text == "소개" && row.pictures == [MediaID(7)])
      #expect(try await store.change(decide(subject, .restore)) != .notFound)
      #expect(try await isShown(to: 2))
    }
  }

  @Test("A guest's reports keep no guest", arguments: BackEnd.allCases)
  func guests(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...1)
      try await store.greet(2...3)
      try await store.write(post(1))
      try await store.change(report(.firstPost, by: 2))
      try await store.change(report(.profile(PlayerID(2)), by: 3))
      try await store.change(warn(warning(1, of: 2)))
      for _ in 0..<3 { try await store.maintain(at: 90 * dayMs) }
      #expect(try store.unknownPlayers(among: [PlayerID(1), PlayerID(2), PlayerID(3)]) == [PlayerID(2), PlayerID(3)])
      let row = try #require(try await store.moderated().first)
      #expect(row.thing.subject == .firstPost && row.reportsCount == 1 && row.reports.isEmpty)
      #expect(try await store.moderated().count == 1)
    }
  }
}

@Suite("Every store keeps warnings until they are seen")
struct WarningContractTests {
  @Test("A warning comes with each session until its player has seen it", arguments: BackEnd.allCases)
  func warnings(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      let (first, second) = (warning(1, of: 1, about: .firstPost), warning(2, of: 1))
      #expect(try await store.change(warn(second)) == .warned)
      #expect(try await store.change(warn(first)) == .warned)
      #expect(try await store.change(warn(first)) == .warned, "again")
      #expect(try await store.change(warn(warning(3, of: 9))) == .notFound)
      func pending(_ session: UInt8) async throws -> [PlayerWarning]? {
        guard case .player(let row) = try await store.change(hello(1, device: 1, session: session)) else { return nil }
        return row.warnings
      }
      #expect(try await pending(7) == [first, second])
      #expect(try await store.change(ModerationChange.seeWarning(first.id, PlayerID(2))) == .notFound)
      #expect(try await store.change(ModerationChange.seeWarning(first.id, PlayerID(1))) == .seen)
      #expect(try await store.change(ModerationChange.seeWarning(first.id, PlayerID(1))) == .notFound)
      #expect(try await pending(8) == [second])
      #expect(try await store.newestAudit().map(\.action) == ["warn", "warn"])
    }
  }

  @Test("So many warnings wait for one player, and a deleted player has none", arguments: BackEnd.allCases)
  func bound(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      for number in 1...PlayerWarning.pendingMax {
        #expect(try await store.change(warn(warning(UInt128(number), of: 1))) == .warned)
      }
      #expect(try await store.change(warn(warning(99, of: 1))) == .tooMany)
      #expect(try await store.newestAudit().count == PlayerWarning.pendingMax)
      try await store.delete(PlayerID(1))
      #expect(try await store.change(ModerationChange.seeWarning(WarningID(1), PlayerID(1))) == .notFound)
    }
  }
}

private struct Unexpected: Error {
  let outcome: String

  init(_ outcome: some Any) {
    self.outcome = "\(outcome)"
  }
}
