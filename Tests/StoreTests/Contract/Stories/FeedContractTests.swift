// Feeds, tops and searches of posts, over every back end; and SQLite beside the store in memory over random changes.
import Game
import SeededRandom
import Store
import TestSupport
import Testing

@Suite("Every store lists posts")
struct FeedContractTests {
  private static let dayMs: Int64 = 86_400_000

  @Test("Feeds are in their orders, page by page, and stay true while posts come and go", arguments: BackEnd.allCases)
  func feeds(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...6)
      for number: UInt128 in 1...12 {
        try await store.write(post(number, of: 1 + number % 2, text: number % 3 == 0 ? "#셋" : "글", in: "KR"))
      }
      // Post 7 has five likes and one view, post 2 two likes, post 9 three views.
      for player: UInt128 in 1...6 where player != 2 { try await store.change(like(7, by: player)) }
      for player: UInt128 in 3...4 { try await store.change(like(2, by: player)) }
      for player: UInt128 in 3...5 { try await store.change(view(9, by: player)) }
      try await store.change(view(7, by: 3))
      let latest = (1...12).reversed().map { UInt128($0) }
      for limit in [1, 5, 12, 50] {
        #expect(try await store.allPosts(for: 3, limit: limit).numbers == latest)
        let liked = [7, 2] + latest.filter { $0 != 7 && $0 != 2 }
        #expect(try await store.allPosts(by: .likes, for: 3, limit: limit).numbers == liked)
        let viewed = [9, 7] + latest.filter { $0 != 9 && $0 != 7 }
        #expect(try await store.allPosts(by: .views, for: 3, limit: limit).numbers == viewed)
      }
      let tag = FeedScope.hashtag(try #require(Hashtag("셋")))
      #expect(try await store.allPosts(tag, by: .views, for: 3, limit: 2).numbers == [9, 12, 6, 3])
      #expect(
        try await store.allPosts(.author(PlayerID(2)), by: .likes, for: 3, limit: 2).numbers.prefix(2) == [7, 11]
      )
      let korea = FeedScope.country(try #require(CountryCode("KR")))
      #expect(try await store.feed(AskedFeed(korea, by: .likes, limit: 1), for: 3).posts.numbers == [7])
      let elsewhere = FeedScope.country(try #require(CountryCode("JP")))
      #expect(try await store.feed(AskedFeed(elsewhere), for: 3) == FeedPage())
      #expect(try await store.feed(AskedFeed(limit: 12), for: 3).next == nil)
      let page = try await store.feed(AskedFeed(limit: 3), for: 3)
      #expect(page.posts.numbers == [12, 11, 10])
      for number: UInt128 in [10, 9] {
        try await store.change(StoryChange.delete(PostID(number), author: PlayerID(1 + number % 2)))
      }
      try await store.write(post(13))
      let next = try await store.feed(AskedFeed(after: page.next, limit: 3), for: 3)
      #expect(next.posts.numbers == [8, 7, 6])
    }
  }

  @Test("Tops have the most likes of those written since a moment", arguments: BackEnd.allCases)
  func tops(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...5)
      let codes = ["KR", "JP", "FR", "IT"]
      for number: UInt128 in 1...40 {
        let code = codes[Int(number) % 4]
        try await store.write(post(number, in: code, writtenAt: Int64(number) * Self.dayMs / 4))
      }
      for (number, likes) in [(1, 4), (8, 3), (12, 2), (39, 2), (40, 1), (20, 4)] {
        for player in 2..<2 + likes { try await store.change(like(UInt128(number), by: UInt128(player))) }
      }
      #expect(try await store.topPosts(since: 0).numbers == [20, 1, 8, 39, 12])
      #expect(try await store.topPosts(since: 3 * Self.dayMs, limit: 6).numbers == [20, 39, 12, 40, 38, 37])
      #expect(try await store.topPosts(since: 3 * Self.dayMs + 1, limit: 3).numbers == [20, 39, 40])
      #expect(try await store.topPosts(since: 10 * Self.dayMs).numbers == [40])
      #expect(try await store.topPosts(since: 11 * Self.dayMs) == [])
      func found(_ since: Int64, _ among: [String], _ limit: Int = 5) async throws -> [String] {
        try await store.countries(since: since, among: among, limit: limit).map(\.description)
      }
      // 20, 8, 12 and 40 are of KR, 1 of JP, 39 of IT. No post of FR is liked.
      #expect(try await found(0, codes) == ["KR", "JP", "IT"])
      #expect(try await found(0, codes, 2) == ["KR", "JP"])
      #expect(try await found(Self.dayMs, ["JP", "IT"]) == ["IT"])
      #expect(try await found(0, ["US", "FR"]) == [])
      #expect(try await store.topPosts(about: "KR", since: 0).numbers == [20, 8, 12, 40, 36])
      #expect(try await store.topPosts(about: "IT", since: 9 * Self.dayMs, limit: 2).numbers == [39])
      #expect(try await store.topPosts(about: "JP", since: Self.dayMs, limit: 1).numbers == [37])
      #expect(try await store.topPosts(about: "US", since: 0) == [])
    }
  }

  @Test("A quiet country is found behind a thousand liked posts of others", arguments: BackEnd.allCases)
  func quiet(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...4)
      let busy = (1...1_001).flatMap { number -> [Change] in
        [StoryChange.write(post(UInt128(number), in: "KR")).change, like(UInt128(number), by: 2).change]
          + [like(UInt128(number), by: 3).change]
      }
      try await store.commit(Batch(at: moment(1), changes: busy))
      for (number, code) in [(2_001, "EG"), (2_002, "KE"), (2_003, "MA"), (2_004, "EG")] {
        try await store.write(post(UInt128(number), in: code))
      }
      for number: UInt128 in [2_001, 2_002] { try await store.change(like(number, by: 4)) }
      #expect(try await store.countries(since: 0, among: ["EG", "KE", "MA"]).map(\.description) == ["KE", "EG"])
      #expect(try await store.countries(since: 0, among: ["KR", "EG"]).map(\.description) == ["KR", "EG"])
      // The most liked one is older than its newest thousand.
      try await store.change(like(1, by: 4))
      try await store.write(post(2_005, in: "KR"))
      #expect(try await store.topPosts(about: "KR", since: 0, limit: 2).numbers == [1, 1_001])
    }
  }

  @Test("A post with all pairs of a word is found only where the word is", arguments: BackEnd.allCases)
  func searchesExactly(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      let long = String(repeating: "가나다라", count: 20)
      let texts = ["가나다 나라", "나다가나", long, "\(long)마", String(repeating: "ㅋ", count: 90), "ㅋㅋㅋ"]
      for (index, text) in texts.enumerated() {
        try await store.write(post(UInt128(index + 1), title: "제목", text: text))
      }
      let expected: [(String, [UInt128])] = [
        ("가나다", [4, 3, 1]), ("다가나", [2]), ("나다가", [2]), (long, [4, 3]), ("\(long)마", [4]),
        ("가나다라가나다라가나다라", [4, 3]), ("라가나다라마", [4]), ("라가나다라라", []), ("ㅋㅋㅋ", [6, 5]),
        (String(repeating: "ㅋ", count: 90), [5]), (String(repeating: "ㅋ", count: 91), []),
      ]
      for (query, numbers) in expected { #expect(try await store.search(query).posts.numbers == numbers, "\(query)") }
    }
  }

  @Test("A search finds any part of a word, of one and two syllables too", arguments: BackEnd.allCases)
  func searches(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      let texts = [
        "여름바다 좋다", "바다도소리도 좋다", "산이 좋아 Busan에서", "바람 다리", "ＢＵＳＡＮ 2026 바다", "!!! 🏖️", "가",
      ]
      for (index, text) in texts.enumerated() {
        try await store.write(post(UInt128(index + 1), title: "글", text: text))
      }
      let expected: [(String, [UInt128])] = [
        ("바다", [5, 2, 1]), ("도소", [2]), ("다", [5, 4, 2, 1]), ("도", [2]), ("좋", [3, 2, 1]), ("름바다", [1]),
        ("busan", [5, 3]), ("BUSAN에", [3]), ("us", [5, 3]), ("2", [5]), ("20 바다", [5]), ("좋다 바다", [2, 1]),
        ("바람다", []), ("다좋", []), ("가", [7]), ("글", [7, 6, 5, 4, 3, 2, 1]), ("", []), ("!!", []), ("없는", []),
        ("\u{1107}\u{1161}\u{1103}\u{1161}", [5, 2, 1]), ("\" OR 바다 *", []), ("서", [3]), ("n에", [3]),
      ]
      for (query, numbers) in expected { #expect(try await store.search(query).posts.numbers == numbers, "\(query)") }
      let page = try await store.search("다", limit: 2)
      #expect(page.posts.numbers == [5, 4])
      try await store.write(post(8, text: "다"))
      #expect(try await store.search("다", after: page.next, limit: 2).posts.numbers == [2, 1])
      #expect(try await store.search("다", after: page.next, limit: 2).next == nil)
    }
  }

  @Test("Hashtags are counted", arguments: BackEnd.allCases)
  func hashtags(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      for (index, text) in ["#b #a", "#b", "#c", "#Ab"].enumerated() {
        try await store.write(post(UInt128(index), text: text))
      }
      #expect(try await store.hashtags().map { "\($0.hashtag) \($0.posts)" } == ["b 2", "a 1", "ab 1", "c 1"])
      #expect(try await store.hashtags(limit: 1).map(\.hashtag.text) == ["b"])
    }
  }

  @Test("SQLite and memory answer the same over random changes", arguments: [1, 2, 3] as [UInt64])
  func comparison(seed: UInt64) async throws {
    try await BackEnd.sqlite.withStore { sqlite in
      try await BackEnd.memory.withStore { memory in
        var world = StoryWorld(seed: seed)
        for store in [sqlite, memory] { try await store.greet(1...6) }
        for round in 0..<60 {
          let batch = Batch(at: moment(world.now), changes: world.changes(20))
          let outcomes = try await sqlite.commit(batch)
          #expect(try await memory.commit(batch) == outcomes, "\(seed), \(round)")
          for _ in 0..<6 {
            let (asked, player) = (world.asked(), world.player())
            let page = try await sqlite.feed(asked, for: player)
            #expect(try await memory.feed(asked, for: player) == page, "\(seed), \(round)")
          }
          let (query, player, number) = (world.text(2), world.player(), world.number())
          #expect(try await sqlite.search(query, for: player) == memory.search(query, for: player), "\(query)")
          #expect(try await sqlite.post(number, for: player) == memory.post(number, for: player))
          #expect(
            try await sqlite.comments(of: number, for: player, .newest, limit: 3)
              == memory.comments(of: number, for: player, .newest, limit: 3)
          )
          let since = world.now - Int64(world.draw(1...20)) * Self.dayMs / 2
          #expect(try await sqlite.topPosts(since: since, for: player) == memory.topPosts(since: since, for: player))
          let about = try await sqlite.topPosts(about: "KR", since: since, for: player, limit: 7)
          #expect(try await memory.topPosts(about: "KR", since: since, for: player, limit: 7) == about)
          let codes = ["KR", "JP"]
          #expect(
            try await sqlite.countries(since: since, among: codes) == memory.countries(since: since, among: codes)
          )
          #expect(try await sqlite.hashtags() == memory.hashtags())
          #expect(try await sqlite.storyCounts() == memory.storyCounts())
          guard round % 20 == 19 else { continue }
          for store in [sqlite, memory] {
            try await store.maintain(at: world.now)
            if round == 39 { try await store.delete(PlayerID(6), at: world.now) }
          }
        }
      }
    }
  }
}

/// Changes and questions at random. A value.
private struct StoryWorld {
  private static let words = ["바다", "산", "여름바다", "소리", "좋다", "a", "Sea", "#바다", "#산", "#Sea", "다"]

  private var random: SplitMix64
  private(set) var now: Int64 = 20_000 * 86_400_000
  private var written: UInt128 = 0
  private var comments: [PostComment] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func draw(_ range: ClosedRange<Int>) -> Int { random.draw(range) }

  mutating func player() -> UInt128 { UInt128(random.draw(1...6)) }

  mutating func number() -> UInt128 { UInt128(random.draw(1...Int(max(1, written)))) }

  mutating func text(_ count: Int) -> String {
    (0..<random.draw(1...count)).map { _ in random.pick(Self.words) }.joined(separator: random.pick([" ", "", ", "]))
  }

  private mutating func codes() -> [CountryCode] {
    ["KR", "JP", "FR"].compactMap { random.chance(40) ? CountryCode($0) : nil }
  }

  mutating func asked() -> AskedFeed {
    let scopes = [
      FeedScope.everyone, .author(PlayerID(player())), CountryCode("KR").map { .country($0) },
      Hashtag("바다").map { .hashtag($0) },
    ].compactMap { $0 }
    let sort = random.pick(FeedSort.allCases)
    let key = sort == .latest ? 0 : Int64(random.draw(0...3))
    let cursor = random.chance(50) ? PostCursor(key: key, number: Int64(number())) : nil
    return AskedFeed(random.pick(scopes), by: sort, after: cursor, limit: random.draw(1...7))
  }

  mutating func changes(_ count: Int) -> [Change] {
    (0..<count).map { _ in
      now += Int64(random.draw(0...2_000_000))
      return change().change
    }
  }

  private mutating func change() -> any ChangeFamily {
    let (post, player) = (PostID(number()), PlayerID(player()))
    switch random.draw(1...20) {
    case 1...4:
      written += 1
      var new = sample(written)
      new.countries = codes()
      return StoryChange.write(new)
    case 5...8: return StoryChange.like(post, player, at: moment(now))
    case 9: return StoryChange.unlike(post, player)
    case 10...12: return StoryChange.view(post, player, at: moment(now))
    case 13...14:
      let new = PostComment(
        id: CommentID(UInt128(comments.count + 1)),
        post: post,
        author: player,
        text: text(3),
        writtenAt: moment(now)
      )
      let comment = random.chance(20) ? random.pick(comments + [new]) : new
      if comment == new { comments.append(new) }
      return StoryChange.comment(comment)
    case 15: return StoryChange.deleteComment(comment(), author: player)
    case 16: return StoryChange.editComment(comment(), author: player, text: text(2), at: moment(now))
    case 17:
      let version = random.chance(30) ? Int64(random.draw(1...3)) : nil
      let words = random.chance(60) ? text(4) : nil
      return StoryChange.edit(
        PostEdit(id: post, author: player, version: version, text: words, countries: codes(), at: moment(now))
      )
    case 18: return random.chance(30) ? StoryChange.delete(post, author: player) : StoryChange.unlike(post, player)
    case 19:
      let subject = random.chance(50) ? StorySubject.post(post) : .comment(comment())
      return StoryChange.hide(subject, isHidden: random.chance(40))
    default:
      let other = PlayerID(self.player())
      return random.chance(30) && player != other
        ? AccountChange.block(player, other) : AccountChange.unblock(player, other)
    }
  }

  private mutating func comment() -> CommentID { CommentID(UInt128(random.draw(1...comments.count + 1))) }

  private mutating func sample(_ number: UInt128) -> Post {
    Post(id: PostID(number), author: PlayerID(player()), title: text(1), text: text(5), writtenAt: moment(now))
  }
}
