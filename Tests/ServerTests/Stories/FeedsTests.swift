// Lists of posts over real sockets: by order, author, country and hashtag, the top ones, the search; cursors.
import Game
import MadangProtocol
import TestSupport
import Testing

@Suite struct FeedsTests {
  private let server: TestServer
  private let author: TestPlayer
  private let authorID: String

  init() throws {
    server = try TestServer(shards: 2)
    author = try TestPlayer(port: server.port)
    authorID = try author.hello("가람").playerID
  }

  @Test("Pages by the newest, the most likes and the most views have each post once")
  func sorts() throws {
    let posts = try (1...7).map { number in
      server.clock.advance(seconds: 1)
      return try author.write("\(number)")
    }
    let readers = try (0..<3).map { try server.player("나래 \($0)") }
    for (index, reader) in readers.enumerated() {
      for post in posts.prefix(index + 1) { try reader.like(post) }
      for post in posts.suffix(index + 1) { _ = try reader.read(post) }
    }
    _ = try server.report { $0.play.stories.acts[.view] == 6 }
    let reader = readers[0]
    #expect(try reader.posts() == ["7", "6", "5", "4", "3", "2", "1"])
    #expect(try reader.posts { $0.sort = .likes } == ["1", "2", "3", "7", "6", "5", "4"])
    #expect(try reader.posts { $0.sort = .views } == ["7", "6", "5", "4", "3", "2", "1"])
    #expect(try reader.page(.listPosts(WireListPosts())).posts.map(\.likes) == [0, 0, 0, 0, 1, 2, 3])
    #expect(try reader.page(.listPosts(WireListPosts())).posts.map(\.liked).count { $0 } == 1)
  }

  @Test("A cursor stays true while posts come and go")
  func steadyCursor() throws {
    let posts = try (1...6).map { try author.write("\($0)") }
    var list = WireListPosts()
    list.limit = 2
    let first = try author.page(.listPosts(list))
    #expect(first.posts.map(\.title) == ["6", "5"])
    _ = try author.write("7")
    try author.expectOk(TestPlayer.delete(posts[4]))
    try author.expectOk(TestPlayer.delete(posts[3]))
    list.cursor = first.nextCursor
    #expect(try author.page(.listPosts(list)).posts.map(\.title) == ["3", "2"])
  }

  @Test("A cursor of another list has its own error")
  func wrongCursors() throws {
    for number in 1...4 { _ = try author.write("\(number)", "바다 #바다") { $0.countries = ["PH"] } }
    var list = WireListPosts()
    list.limit = 2
    let cursor = try author.page(.listPosts(list)).nextCursor
    let others: [(inout WireListPosts) -> Void] = [
      { $0.sort = .likes }, { $0.country = "PH" }, { $0.hashtag = "바다" }, { [authorID] in $0.authorID = authorID },
      { $0.cursor = "nonsense" }, { $0.cursor = String(repeating: "1", count: 200) }, { $0.cursor += "0" },
      { $0.cursor = "" + $0.cursor.dropFirst() },
    ]
    for (index, change) in others.enumerated() where index != 6 {
      var other = list
      other.cursor = cursor
      change(&other)
      #expect(try author.refusal(of: .listPosts(other)).code == .wrongCursor, "\(index)")
    }
    #expect(try author.refusal(of: TestPlayer.search("바다", after: cursor)).code == .wrongCursor)
    let found = try author.page(TestPlayer.search("바다", limit: 2)).nextCursor
    #expect(try author.page(TestPlayer.search("바다", limit: 2, after: found)).posts.map(\.title) == ["2", "1"])
    #expect(try author.refusal(of: TestPlayer.search("바", after: found)).code == .wrongCursor)
    var comments = WireListComments()
    comments.postID = try author.write("5").postID
    comments.cursor = cursor
    #expect(try author.refusal(of: .listComments(comments)).code == .wrongCursor)
  }

  @Test("Lists of an author, a country and a hashtag have theirs alone, and follow edits")
  func scopes() throws {
    let other = try server.player("나래")
    let first = try author.write("하나", "글 #바다") { $0.countries = ["PH", "IT"] }
    _ = try other.write("둘", "글 #산") { $0.countries = ["IT"] }
    #expect(try other.posts { $0.authorID = authorID } == ["하나"])
    #expect(try other.posts { $0.country = "IT" } == ["둘", "하나"] && other.posts { $0.country = "PH" } == ["하나"])
    #expect(try other.posts { $0.hashtag = "#바다" } == ["하나"] && other.posts { $0.hashtag = "산" } == ["둘"])
    _ = try author.edit(first) { edit in
      edit.text = "글 #산"
      edit.countries.codes = ["KR"]
    }
    #expect(try other.posts { $0.hashtag = "바다" }.isEmpty && other.posts { $0.hashtag = "산" } == ["둘", "하나"])
    #expect(try other.posts { $0.country = "PH" }.isEmpty && other.posts { $0.country = "KR" } == ["하나"])
    guard case .hashtags(let used) = try other.request(.hashtags(WireHashtagsRequest())) else {
      throw TestFailure("no hashtags")
    }
    #expect(used.hashtags.map(\.hashtag) == ["산"] && used.hashtags.map(\.posts) == [2])
  }

  @Test("The top five are of the last seven days; a country has a top one")
  func tops() throws {
    let readers = try (0..<3).map { try server.player("나래 \($0)") }
    let old = try author.write("옛날") { $0.countries = ["IT"] }
    for reader in readers { try reader.like(old) }
    server.clock.advance(seconds: 8 * 86_400)
    let later = try server.crash()
    let writer = try later.player("다온")
    for number in 1...6 { _ = try writer.write("\(number)") { $0.countries = ["IT"] } }
    let fans = try (0..<2).map { try later.player("라온 \($0)") }
    let fresh = try writer.page(.listPosts(WireListPosts())).posts
    for (index, fan) in fans.enumerated() { for post in fresh.prefix(index + 1) { try fan.like(post) } }
    #expect(try writer.page(.topPosts(WireTopPosts())).posts.map(\.title) == ["6", "5", "4", "3", "2"])
    var country = WireTopPosts()
    country.country = "IT"
    #expect(try writer.page(.topPosts(country)).posts.map(\.title) == ["옛날"])
    country.limit = 3
    #expect(try writer.page(.topPosts(country)).posts.map(\.title) == ["옛날", "6", "5"])
    country.days = 30
    #expect(try writer.page(.topPosts(country)).posts.map(\.title) == ["옛날", "6", "5"])
    (country.days, country.limit) = (7, 50)
    #expect(try writer.page(.topPosts(country)).posts.map(\.title) == ["6", "5", "4", "3", "2", "1"])
    country.clearLimit()
    #expect(try writer.page(.topPosts(country)).posts.count == 5, "hot ones are more than the top one")
    for days: UInt32 in [0, 31] {
      country.days = days
      #expect(try writer.refusal(of: .topPosts(country)).code == .outOfRange)
    }
    country.clearDays()
    country.country = "KR"
    #expect(try writer.page(.topPosts(country)).posts.isEmpty)
    var recommended = WireRecommendedCountries()
    recommended.continent = .europe
    guard case .countries(let countries) = try writer.request(.recommendedCountries(recommended)) else {
      throw TestFailure("no countries")
    }
    #expect(countries.countries.map(\.code) == ["IT", "NL"], "the liked one, then the apps' own without it")
    recommended.continent = .asia
    guard case .countries(let others) = try writer.request(.recommendedCountries(recommended)) else {
      throw TestFailure("no countries")
    }
    #expect(others.countries.map(\.code) == ["PH", "TW"])
  }

  @Test("A search finds any part of a word, of one syllable and of two, in titles and texts")
  func search() throws {
    _ = try author.write("여름바다", "파도")
    _ = try author.write("도서관", "조용한 독서")
    _ = try author.write("Seoul Tower", "밤에 본 야경")
    #expect(try author.found("바다") == ["여름바다"] && author.found("바") == ["여름바다"])
    #expect(try author.found("도") == ["도서관", "여름바다"] && author.found("도서") == ["도서관"])
    #expect(try author.found("독서 조용") == ["도서관"] && author.found("독서 바다").isEmpty)
    #expect(try author.found("OUL tow") == ["Seoul Tower"] && author.found("야경") == ["Seoul Tower"])
    #expect(try author.found("없는말").isEmpty)
    for query in ["", "   ", "!?"] {
      #expect(try author.refusal(of: TestPlayer.search(query)).code == .textEmpty, "\(query)")
    }
    #expect(try author.refusal(of: TestPlayer.search(String(repeating: "가", count: 101))).code == .textTooLong)
  }
}
