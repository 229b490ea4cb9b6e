// Experience and collectibles, over every back end: what earns them, how often, and who is told.
import Game
import Store
import Testing

@Suite("Every store reckons experience and collectibles")
struct ProgressContractTests {
  @Test("A post earns 5 until it is deleted, and a repeat nothing", arguments: BackEnd.allCases)
  func posts(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for _ in 1...2 { try await store.change(StoryChange.write(post(1))) }
      #expect(try await store.experience(of: 1) == 5)
      #expect(try await store.change(StoryChange.write(post(1, of: 2))) == .notFound)
      #expect(try await store.experience(of: 2) == 0)
      try await store.write(post(2))
      #expect(try await store.change(deletion(1, by: 2)) == .notFound)
      for _ in 1...2 { try await store.change(deletion(1)) }
      #expect(try await store.experience(of: 1) == 5)
      var pictured = post(3)
      pictured.pictures = [MediaID(9)]
      #expect(try await store.change(StoryChange.write(pictured)) == .mediaNotFound)
      let edit = PostEdit(id: PostID(2), author: PlayerID(1), text: "다른 글", at: moment(9))
      try await store.change(StoryChange.edit(edit))
      #expect(try await store.experience(of: 1) == 5)
    }
  }

  @Test("A like earns its giver 1 until it is taken back, or goes with its post", arguments: BackEnd.allCases)
  func likes(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      for number: UInt128 in 1...2 { try await store.write(post(number)) }
      let unlike = StoryChange.unlike(PostID(1), PlayerID(2))
      let steps: [(StoryChange, Int64)] = [(like(1, by: 2), 1), (like(1, by: 2), 1), (unlike, 0), (unlike, 0)]
      for (change, experience) in steps {
        try await store.change(change)
        #expect(try await store.experience(of: 2) == experience)
      }
      #expect(try await store.change(like(1, by: 1)) == .ownPost)
      #expect(try await store.experience(of: 1) == 10)
      try await store.commit([], like(1, by: 2), like(2, by: 2), like(1, by: 3))
      try await store.change(deletion(1))
      try await store.maintain(at: 10)
      #expect(try await store.change(unlike) == .notFound)
      #expect(try await store.experience(of: 2) == 1)
      #expect(try await store.experience(of: 3) == 0)
      try await store.maintain(at: 11)
      #expect(try await store.experience(of: 2) == 1)
      try await store.delete(PlayerID(1), at: 12)
      try await store.maintain(at: 13)
      #expect(try await store.experience(of: 2) == 0)
    }
  }

  @Test("Two players earn nothing for good by posts that are written, liked and deleted", arguments: BackEnd.allCases)
  func circle(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for round: UInt128 in 1...60 {
        try await store.write(post(2 * round))
        try await store.write(post(2 * round + 1, of: 2))
        try await store.commit([], like(2 * round, by: 2), like(2 * round + 1, by: 1))
        try await store.commit([], deletion(2 * round), deletion(2 * round + 1, by: 2))
      }
      try await store.maintain(at: 10)
      for player: UInt128 in 1...2 { #expect(try await store.experience(of: player) == 0) }
    }
  }

  @Test("A grade is told when it changes, both ways", arguments: BackEnd.allCases)
  func grades(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      var news: [ProgressNews] = []
      for number: UInt128 in 1...61 { news += try await store.news(of: StoryChange.write(post(number))) }
      let grades = news.filter { if case .grade = $0 { true } else { false } }
      let player = PlayerID(1)
      #expect(
        grades == [
          .grade(player, .business, experience: 100), .grade(player, .first, experience: 200),
          .grade(player, .master, experience: 300),
        ]
      )
      #expect(try await store.news(of: deletion(1)) == [])
      #expect(try await store.news(of: deletion(2)) == [.grade(player, .first, experience: 295)])
      #expect(try await store.news(of: deletion(2)) == [])
      #expect(try await store.experience(of: 1) == 295)
    }
  }

  @Test("A post about a country of each continent, and about all of them", arguments: BackEnd.allCases)
  func continents(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      func news(_ number: UInt128, _ countries: String...) async throws -> [ProgressNews] {
        var new = post(number)
        new.countries = countries.compactMap { CountryCode($0) }
        return try await store.news(at: Int64(number), of: StoryChange.write(new))
      }
      #expect(try await news(1, "KR", "JP", "FR") == [won(1, .asia, at: 1), won(1, .europe, at: 1)])
      #expect(try await news(1, "KR", "JP", "FR") == [])
      #expect(try await news(2, "KR", "AQ") == [])
      #expect(try await news(3, "EG", "AU", "BR").count == 3)
      #expect(try await news(4) == [])
      try await store.change(deletion(1))
      let states = [CountryCode("US")].compactMap { $0 }
      let edit = PostEdit(id: PostID(4), author: PlayerID(1), countries: states, at: moment(9))
      let all = [won(1, .northAmerica, at: 7), won(1, .allContinents, at: 7)]
      #expect(try await store.news(at: 7, of: StoryChange.edit(edit)) == all)
      for number: UInt128 in 2...4 { try await store.change(deletion(number)) }
      let kept = try #require(try await store.profile(of: 1, for: 2))
      #expect(
        kept.collectibles.map(\.collectible) == [
          .asia, .europe, .africa, .oceania, .southAmerica, .northAmerica, .allContinents,
        ]
      )
      #expect(try await news(5, "KR", "FR", "EG") == [])
      #expect(kept.experience == 0)
      #expect(try await store.collectibles(of: 2) == [])
    }
  }

  @Test("Ten posts at one time", arguments: BackEnd.allCases)
  func tenPosts(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      for number: UInt128 in 1...9 { try await store.write(post(number)) }
      try await store.change(deletion(9))
      #expect(try await store.news(of: StoryChange.write(post(10))) == [])
      #expect(try await store.news(at: 3, of: StoryChange.write(post(11))) == [won(1, .tenPosts, at: 3)])
      try await store.change(deletion(11))
      #expect(try await store.news(of: StoryChange.write(post(12))) == [])
      #expect(try await store.collectibles(of: 1) == [.tenPosts])
    }
  }

  @Test("A soundtrack of all four parts, at the first writing or with an edit", arguments: BackEnd.allCases)
  func soundtracks(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      let effects = (0..<3).map { Sound($0, volumePercent: 50) }
      let full = try #require(Soundtrack(music: Sound(1, volumePercent: 50), effects: effects))
      var first = post(1)
      first.soundtrack = full
      #expect(try await store.news(of: StoryChange.write(first)) == [won(1, .fullSoundtrack)])
      var second = post(2, of: 2)
      second.soundtrack = try #require(Soundtrack(music: nil, effects: effects))
      #expect(try await store.news(of: StoryChange.write(second)) == [])
      let edit = PostEdit(id: PostID(2), author: PlayerID(2), soundtrack: full, at: moment(9))
      for expected in [[won(2, .fullSoundtrack, at: 4)], []] {
        #expect(try await store.news(at: 4, of: StoryChange.edit(edit)) == expected)
      }
    }
  }

  @Test("The hundredth like goes to the author, once", arguments: BackEnd.allCases)
  func likedPost(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let hellos = (1...103).map { number in
        hello(UInt128(number), device: UInt8(number), session: UInt8(number)).change
      }
      try await store.commit(Batch(at: moment(0), changes: hellos))
      try await store.write(post(1))
      for number: UInt128 in 2...100 { #expect(try await store.news(of: like(1, by: number)) == []) }
      #expect(try await store.news(of: like(1, by: 2)) == [])
      #expect(try await store.news(at: 5, of: like(1, by: 101)) == [won(1, .likedPost, at: 5)])
      #expect(try await store.news(of: like(1, by: 102)) == [])
      for _ in 1...2 { try await store.change(StoryChange.unlike(PostID(1), PlayerID(102))) }
      try await store.change(StoryChange.unlike(PostID(1), PlayerID(101)))
      #expect(try await store.news(of: like(1, by: 103)) == [])
      #expect(try await store.collectibles(of: 1) == [.likedPost])
      #expect(try await store.experience(of: 1) == 5)
      #expect(try await store.experience(of: 101) == 0)
    }
  }

  @Test("Ten capsules of others, each opened once, deleted ones too", arguments: BackEnd.allCases)
  func tenCapsules(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for number: UInt128 in 1...11 { try await store.bury(capsule(number)) }
      try await store.bury(capsule(20, of: 2))
      for number: UInt128 in 1...9 { #expect(try await store.news(of: open(number, by: 2)) == []) }
      #expect(try await store.news(of: open(9, by: 2)) == [])
      #expect(try await store.news(of: open(20, by: 2)) == [])
      try await store.change(CapsuleChange.delete(CapsuleID(1), owner: PlayerID(1)))
      try await store.maintain(at: 10)
      #expect(try await store.news(at: 6, of: open(10, by: 2)) == [won(2, .tenCapsules, at: 6)])
      #expect(try await store.news(of: open(11, by: 2)) == [])
      #expect(try await store.collectibles(of: 2) == [.tenCapsules])
      #expect(try await store.experience(of: 2) == 0)
      #expect(try await store.collectibles(of: 1) == [])
    }
  }

  @Test("Changes of one commit earn one after the other", arguments: BackEnd.allCases)
  func oneCommit(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      let changes = (1...20).map { StoryChange.write(post(UInt128($0), in: "KR")).change } + [deletion(1).change]
      let outcomes = try await store.commit(Batch(at: moment(2), changes: changes))
      let player = PlayerID(1)
      #expect(
        outcomes.flatMap(\.news) == [
          won(1, .asia, at: 2), won(1, .tenPosts, at: 2), .grade(player, .business, experience: 100),
          .grade(player, .economy, experience: 95),
        ]
      )
    }
  }

  @Test("A plan that ten others have taken over earns its author a collectible, once", arguments: BackEnd.allCases)
  func takingOver(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...13)
      try await store.write(plan(1))
      try await store.write(post(1, plan: 1))
      for (copy, player) in zip(UInt128(100)..., [1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10] as [UInt128]) {
        #expect(try await store.news(of: takeOver(1, as: copy, by: player)) == [])
      }
      #expect(try await store.news(of: takeOver(1, as: 200, by: 11)) == [won(1, .takenOverPlan)])
      #expect(try await store.news(of: takeOver(1, as: 201, by: 12)) == [])
      #expect(try await store.collectibles(of: 1) == [.takenOverPlan])
    }
  }
}
