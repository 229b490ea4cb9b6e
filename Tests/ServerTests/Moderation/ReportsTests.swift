// Reports over real sockets: hidden from the reporter at once, from everybody after three networks; each fault has its
// own error.
import Game
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct ReportsTests {
  private let server: TestServer
  private let author: TestPlayer

  init() throws {
    server = try TestServer(shards: 2)
    author = try server.player("가람")
  }

  /// Lets the next ticks of posts and of feeds pass: what is committed before is told.
  private func passTicks() throws {
    for _ in 0..<2 {
      _ = try server.report { $0.isCommitted }
      server.clock.advance(milliseconds: 604)
      for _ in 0..<30 { _ = server.report() }
    }
  }

  /// A player who watches places and has sent two believed fixes.
  private func walker(_ name: String) throws -> TestPlayer {
    let player = try server.player(name)
    try player.watchPlaces()
    for _ in 0..<2 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: 0)
    }
    return player
  }

  @Test("What a player has reported is hidden from them at once, and from nobody else")
  func reporter() throws {
    let post = try author.write("글", "#바다")
    let comment = try author.comment(post, "첫째")
    try author.comment(post, "둘째")
    let (reporter, other) = (try server.player("나래"), try server.player("다온"))
    try reporter.expectOk(TestPlayer.report(comment))
    #expect(try reporter.comments(of: post) == ["둘째"] && other.comments(of: post) == ["둘째", "첫째"])
    try reporter.expectOk(TestPlayer.report(post))
    try reporter.expectOk(TestPlayer.report(post))
    #expect(try reporter.posts().isEmpty && reporter.found("바다").isEmpty && other.posts() == ["글"])
    #expect(try reporter.refusal(of: TestPlayer.read(post)).code == .postNotFound)
    #expect(try reporter.refusal(of: TestPlayer.like(post)).code == .postNotFound)
    #expect(server.report().play.moderation.reports[.post] == 1)
    #expect(server.report().play.moderation.reports[.comment] == 1)
  }

  @Test("Reports of three accounts from three networks hide a post from all but its author, live too")
  func hiding() throws {
    let post = try author.write("글")
    let watcher = try server.player("나래")
    let feedWatcher = try server.player("다온")
    try watcher.watch(post)
    #expect(try feedWatcher.watchFeed().posts.map(\.title) == ["글"])
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    try passTicks()
    for player in [watcher, feedWatcher] { _ = try player.takeNews() }
    let reporters = try server.reporters()
    // Guests, and a second account of a network, count for nobody else.
    let guest = try TestPlayer(port: server.port, from: 0x7F00_0901)
    _ = try guest.hello("손님")
    for player in [guest, try server.account("이웃", fromNetwork: 1), reporters[0], reporters[1]] {
      try player.expectOk(TestPlayer.report(post))
    }
    #expect(try watcher.read(post).title == "글")
    try reporters[2].expectOk(TestPlayer.report(post))
    #expect(try watcher.refusal(of: TestPlayer.read(post)).code == .postNotFound)
    #expect(try author.read(post).hidden && author.posts { $0.authorID = post.authorID } == ["글"])
    try passTicks()
    #expect(try watcher.postNews().deleted)
    let news = try feedWatcher.feedNews()
    #expect(news.anew && news.posts.isEmpty)
    let report = server.report().play.moderation
    #expect(report.hidings == 1 && report.reports[.post] == 5)
    // It survives a restart.
    let again = try server.crash()
    #expect(try again.player("라온").posts().isEmpty)
  }

  @Test("A watched post or comment goes from its reporter's watches alone")
  func watches() throws {
    let posts = try (1...2).map { try author.write("글 \($0)") }
    let comments = try (1...2).map { try author.comment(posts[1], "\($0)") }
    let (reporter, other) = (try server.player("나래"), try server.player("다온"))
    for player in [reporter, other] {
      try player.watch(posts[1])
      try player.watchFeed()
    }
    _ = try server.report { $0.play.stories.acts[.view] == 2 }
    try passTicks()
    for player in [reporter, other] { _ = try player.takeNews() }
    try reporter.expectOk(TestPlayer.report(comments[0]))
    try passTicks()
    let news = try reporter.postNews()
    #expect(news.anew && news.comments.map(\.text) == ["2"])
    _ = try reporter.takeNews()
    try reporter.expectOk(TestPlayer.report(posts[1]))
    #expect(try reporter.postNews().deleted)
    try passTicks()
    let feed = try reporter.feedNews()
    #expect(feed.anew && feed.posts.map(\.title) == ["글 1"])
    try author.comment(posts[1], "셋")
    _ = try author.edit(posts[1]) { $0.title = "다른 글" }
    try passTicks()
    for case .feedNews(let news) in try reporter.takeNews() { #expect(!news.posts.contains { $0.title == "다른 글" }) }
    #expect(
      try other.takeNews().contains { if case .postNews(let news) = $0 { news.comments.count == 1 } else { false } }
    )
  }

  @Test("The answer to an edit of one's own hidden post or comment says that it is hidden")
  func edits() throws {
    let post = try author.write("글")
    let comment = try author.comment(post, "말")
    for reporter in try server.reporters() {
      try reporter.expectOk(TestPlayer.report(comment))
      try reporter.expectOk(TestPlayer.report(post))
    }
    for title in ["새 글", "새 글"] {
      let edited = try author.edit(post) { $0.title = title }
      var read = try author.read(post)
      (read.comments, read.commentsCursor) = ([], "")
      #expect(edited == read && edited.hidden)
    }
    for text in ["새 말", "새 말"] {
      guard case .comment(let edited) = try author.request(TestPlayer.editComment(comment, text)) else {
        throw TestFailure("no comment")
      }
      #expect(try edited == author.read(post).comments.first && edited.hidden)
    }
  }

  @Test("A comment that reports have hidden leaves its post's watches, and comes back restored")
  func comment() throws {
    let post = try author.write("글")
    let comment = try author.comment(post, "나쁜 말")
    let watcher = try server.player("나래")
    try watcher.watch(post)
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    try passTicks()
    _ = try watcher.takeNews()
    for reporter in try server.reporters() { try reporter.expectOk(TestPlayer.report(comment)) }
    try passTicks()
    let news = try watcher.postNews()
    #expect(news.deletedComments == [comment.commentID] && news.commentCount == 0)
    #expect(try author.comments(of: post) == ["나쁜 말"] && watcher.comments(of: post).isEmpty)
    let id = try #require(CommentID(comment.commentID))
    #expect(server.perform(.restore(.comment(id), reason: "")).isDone)
    try passTicks()
    let restored = try watcher.postNews()
    #expect((restored.comments + restored.editedComments).map(\.text) == ["나쁜 말"] && restored.commentCount == 1)
  }

  @Test("A reported capsule is closed for its reporter, and for everybody after three networks")
  func capsules() throws {
    let capsule = try author.bury(atM: 0) { $0.everyone = true }
    let (walker, other) = (try walker("나래"), try walker("다온"))
    for player in [walker, other] { #expect(try player.openables() == ["첫눈"]) }
    try walker.expectOk(TestPlayer.report(capsule))
    #expect(try walker.closedCapsules() == [capsule.capsuleID])
    #expect(try walker.openRefusal(capsule) == .capsuleNotFound && walker.list(.everyone).isEmpty)
    #expect(try other.open(capsule).text == "여기 있었다.")
    for reporter in try server.reporters() { try reporter.expectOk(TestPlayer.report(capsule)) }
    _ = server.report()
    #expect(try other.closedCapsules() == [capsule.capsuleID], "it is told, not found out by trying")
    #expect(try other.openRefusal(capsule) == .capsuleNotFound && other.list(.everyone).isEmpty)
    let own = try #require(try author.listed(.own).first)
    #expect(own.hidden && own.everyone)
  }

  @Test("Each fault of a report has its own error")
  func faults() throws {
    let post = try author.write("글")
    let reporter = try server.player("나래")
    let nobody = String(repeating: "7", count: 32)
    let faults: [(WireErrorCode, (inout WireReport) -> Void)] = [
      (.tooManyReasons, { $0.reasons = [.spam, .hate, .other, .privacy] }),
      (.tooManyReasons, { $0.reasons = [.spam, .hate, .other, .privacy, .sexual, .violence] }),
      (.reasonMissing, { $0.reasons = [] }), (.outOfRange, { $0.reasons = [.spam, .spam] }),
      (.outOfRange, { $0.reasons = [.unspecified] }), (.outOfRange, { $0.reasons = [.UNRECOGNIZED(10)] }),
      (.textTooLong, { $0.text = String(repeating: "가", count: 201) }), (.outOfRange, { $0.text = "\u{7}" }),
      (.textEmpty, { $0.text = " " }), (.outOfRange, { $0.postID = "" }),
      (.outOfRange, { $0.playerID = post.authorID }), (.postNotFound, { $0.postID = "x" }),
      (.postNotFound, { $0.postID = nobody }), (.commentNotFound, { ($0.postID, $0.commentID) = ("", nobody) }),
      (.capsuleNotFound, { ($0.postID, $0.capsuleID) = ("", nobody) }),
      (.playerNotFound, { ($0.postID, $0.playerID) = ("", nobody) }),
      (.outOfRange, { ($0.postID, $0.playerID) = ("", "x") }),
    ]
    for (index, fault) in faults.enumerated() {
      let report = TestPlayer.report {
        $0.postID = post.postID
        fault.1(&$0)
      }
      #expect(try reporter.refusal(of: .report(report)).code == fault.0, "\(index)")
      server.clock.advance(milliseconds: 200)
    }
    let unknown = TestPlayer.report { ($0.postID, $0.reasons) = (post.postID, [.UNRECOGNIZED(10)]) }
    let words = "SPAM, HARASSMENT, HATE, SEXUAL, VIOLENCE, FALSE_INFORMATION, PRIVACY, COPYRIGHT or OTHER"
    #expect(try reporter.refusal(of: .report(unknown)).message == "reasons: \(words), not 10")
    try reporter.send(text: #"{"id":900,"report":{"postId":"\#(post.postID)","reasons":["SPAM","BORING"]}}"#)
    guard case .error(let error) = try reporter.reply(to: 900) else { throw TestFailure("taken") }
    #expect(error.code == .malformed)
    #expect(try author.refusal(of: TestPlayer.report(post)).code == .ownSubject)
    let own = TestPlayer.report { $0.playerID = post.authorID }
    #expect(try author.refusal(of: .report(own)).code == .ownSubject)
    #expect(try reporter.read(post).title == "글", "nothing was kept")
    let full = TestPlayer.report([.spam, .falseInformation, .other]) {
      ($0.postID, $0.text) = (post.postID, String(repeating: "가", count: 200))
    }
    try reporter.expectOk(.report(full))
  }

  @Test("Reports have a budget")
  func budget() throws {
    let server = try TestServer(shards: 1)
    let author = try server.player("가람")
    let reporter = try server.player("나래")
    let post = try author.write("글")
    for index in 0..<Limits.reportsPerHour {
      if index % 10 == 9 { server.clock.advance(seconds: 1) }
      try reporter.expectOk(TestPlayer.report(post))
    }
    let refused = try reporter.refusal(of: TestPlayer.report(post))
    #expect(refused.code == .rateLimited && refused.retryAfterMs > 0)
  }
}
