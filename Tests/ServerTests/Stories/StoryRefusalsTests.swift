// Bad input about posts over real sockets: each kind has its own error, and nothing of it is kept; budgets.
import MadangProtocol
import TestSupport
import Testing

@Suite struct StoryRefusalsTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 1)
  }

  private static func sound(_ name: String, _ volumePercent: UInt32? = nil) -> WireSound {
    var sound = WireSound()
    sound.name = name
    if let volumePercent { sound.volumePercent = volumePercent }
    return sound
  }

  @Test("Each fault of a post has its own error, in writing and in editing, and changes nothing")
  func faults() throws {
    let author = try server.player("가람")
    let post = try author.write("제목")
    let faults: [(code: WireErrorCode, write: (inout WireWritePost) -> Void)] = [
      (.textEmpty, { $0.title = "" }), (.textEmpty, { $0.title = " \u{3000}" }), (.textEmpty, { $0.text = "" }),
      (.textEmpty, { $0.text = "\n \n" }), (.textTooLong, { $0.title = String(repeating: "가", count: 32) }),
      (.outOfRange, { $0.title = "둘\n줄" }), (.outOfRange, { $0.text = "\u{7}" }),
      (.tooManyCountries, { $0.countries = ["KR", "JP", "IT", "NL"] }), (.countryNotFound, { $0.countries = ["ZZ"] }),
      (.countryNotFound, { $0.countries = ["kr"] }), (.outOfRange, { $0.countries = ["KR", "KR"] }),
      (.tooManyPictures, { $0.media = (0..<11).map { String(repeating: "\($0 % 10)", count: 32) } }),
      (.mediaNotFound, { $0.media = [String(repeating: "7", count: 32)] }), (.mediaNotFound, { $0.media = ["x"] }),
      (.outOfRange, { $0.latE7 = 0 }), (.outOfRange, { ($0.latE7, $0.lngE7) = (860_000_000, 0) }),
      (.capsuleNotFound, { $0.capsuleID = String(repeating: "7", count: 32) }),
      (.soundNotFound, { $0.soundtrack.music = Self.sound("조용한 해변가") }),
      (.soundNotFound, { $0.soundtrack.effects = [Self.sound("")] }),
      (.tooManySounds, { $0.soundtrack.effects = Array(repeating: Self.sound("산들바람"), count: 4) }),
      (.outOfRange, { $0.soundtrack.effects = Array(repeating: Self.sound("산들바람"), count: 2) }),
      (.outOfRange, { $0.soundtrack.music = Self.sound("설레는 피서", 101) }),
    ]
    for (index, fault) in faults.enumerated() {
      // Slower than the budget of changes.
      server.clock.advance(seconds: 4)
      #expect(try author.writeRefusal(fault.write) == fault.code, "\(index)")
      var write = TestPlayer.post("제목", "글")
      fault.write(&write)
      let edit = TestPlayer.edit(post) { edit in
        (edit.title, edit.text, edit.soundtrack) = (write.title, write.text, write.soundtrack)
        edit.countries.codes = write.countries
        edit.media.mediaIds = write.media
        if write.hasLatE7 { edit.latE7 = write.latE7 }
        if write.hasLngE7 { edit.lngE7 = write.lngE7 }
        if !write.capsuleID.isEmpty { edit.capsuleID = write.capsuleID }
      }
      #expect(try author.refusal(of: .editPost(edit)).code == fault.code, "edit \(index)")
    }
    #expect(try author.posts() == ["제목"] && author.read(post).version == 1)
  }

  @Test("Each fault of other requests has its own error")
  func otherFaults() throws {
    let player = try server.player("가람")
    let post = try player.write("제목")
    var nowhere = post
    for id in [String(repeating: "7", count: 32), "x", ""] {
      nowhere.postID = id
      for body in [TestPlayer.read(nowhere), TestPlayer.comment(nowhere, "안녕"), TestPlayer.like(nowhere)] {
        #expect(try player.refusal(of: body).code == .postNotFound)
      }
    }
    for (text, code) in [
      ("", .textEmpty), (" ", .textEmpty), (String(repeating: "가", count: 101), .textTooLong), ("\u{1}", .outOfRange),
    ] as [(String, WireErrorCode)] {
      #expect(try player.refusal(of: TestPlayer.comment(post, text)).code == code, "\(text)")
    }
    #expect(try player.comment(post, String(repeating: "가", count: 100)).number == 1)
    for limit: UInt32 in [0, 51] {
      #expect(try player.refusal(of: TestPlayer.read(post, limit: limit)).code == .outOfRange)
      #expect(try player.refusal(of: TestPlayer.search("가", limit: limit)).code == .outOfRange)
    }
    let lists: [(code: WireErrorCode, list: (inout WireListPosts) -> Void)] = [
      (.outOfRange, { $0.limit = 0 }), (.outOfRange, { $0.sort = .UNRECOGNIZED(9) }),
      (.outOfRange, { $0.authorID = "x" }), (.countryNotFound, { $0.country = "ZZ" }),
      (.outOfRange, { $0.hashtag = "#" }), (.outOfRange, { $0.hashtag = "두 낱말" }),
      (.outOfRange, { ($0.country, $0.hashtag) = ("KR", "바다") }),
    ]
    for (index, fault) in lists.enumerated() {
      var list = WireListPosts()
      fault.list(&list)
      #expect(try player.refusal(of: .listPosts(list)).code == fault.code, "\(index)")
    }
    for text in [#"{"id":900,"listPosts":{"sort":"RANDOM"}}"#, #"{"id":900,"watchFeed":{"sort":"RANDOM"}}"#] {
      try player.send(text: text)
      guard case .error(let error) = try player.reply(to: 900) else { throw TestFailure("taken") }
      #expect(error.code == .malformed)
    }
  }

  @Test("Posts, comments and likes have budgets, each with its own rate; a view beyond its budget is not counted")
  func budgets() throws {
    let author = try server.player("가람")
    let other = try server.player("나래")
    let posts = try (0..<Limits.postChangesPerMinute).map { try author.write("\($0)") }
    let refused = try author.refusal(of: .writePost(TestPlayer.post("또")))
    #expect(refused.code == .rateLimited && refused.retryAfterMs > 0)
    #expect(try author.refusal(of: TestPlayer.delete(posts[0])).code == .rateLimited)
    for index in 0..<Limits.commentChangesPerMinute { try other.comment(posts[0], "\(index)") }
    #expect(try other.refusal(of: TestPlayer.comment(posts[0], "또")).code == .rateLimited)
    server.clock.advance(seconds: 2)
    for index in 0..<Limits.likesPerMinute {
      if index == 40 { server.clock.advance(milliseconds: 500) }
      _ = index % 2 == 0 ? try other.like(posts[0]) : try other.unlike(posts[0])
    }
    #expect(try other.refusal(of: TestPlayer.like(posts[0])).code == .rateLimited)
    try server.pass(seconds: 60, author, other)
    #expect(try author.write("다음").version == 1)
  }

  @Test("While the store fails, nothing is taken that could be lost, and reading says so")
  func failing() throws {
    let store = StubbornStore()
    let failing = try TestServer(shards: 1, store: store)
    let player = try failing.player("가람")
    let post = try player.write("글")
    store.fail(with: .full)
    // Another player's change meets the fault first.
    let other = try TestPlayer(port: failing.port)
    try other.send(.hello(TestPlayer.hello("나래")), id: 1)
    while store.failedCount == 0 { _ = failing.report() }
    #expect(try player.refusal(of: TestPlayer.comment(post, "둘")).code == .storeUnavailable)
    #expect(try player.refusal(of: TestPlayer.like(post)).code == .storeUnavailable)
  }
}
