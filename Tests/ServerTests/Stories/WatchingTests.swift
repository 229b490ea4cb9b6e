// Watches of posts and feeds over real sockets: what is committed comes by itself, throttled, on every shard, and goes
// along to another one.
import MadangProtocol
import TestSupport
import Testing

@Suite struct WatchingTests {
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

  /// Players on both shards.
  private func watchers(_ subprotocol: Subprotocol = .json) throws -> [TestPlayer] {
    try (0..<4).map { try server.player("나래 \($0)", subprotocol) }
  }

  @Test(
    "Comments, likes and views of a post come to who watches it, on every shard",
    arguments: [Subprotocol.json, .proto]
  )
  func post(subprotocol: Subprotocol) throws {
    let post = try author.write("글")
    let players = try watchers(subprotocol)
    for player in players { #expect(try player.watch(post).title == "글") }
    _ = try server.report { $0.play.stories.postWatches == 4 && $0.play.stories.acts[.view] == 4 }
    try passTicks()
    for player in players { _ = try player.takeNews() }
    let comment = try author.comment(post, "안녕")
    try players[0].like(post)
    try passTicks()
    for player in players {
      var last = try player.postNews()
      var comments = last.comments
      while last.likes == 0 || comments.isEmpty {
        last = try player.postNews()
        comments += last.comments
      }
      #expect(last.postID == post.postID && last.likes == 1 && last.views == 4 && last.commentCount == 1)
      #expect(comments.map(\.commentID) == [comment.commentID] && comments[0].text == "안녕")
      #expect(comments[0].nickname == "가람")
    }
  }

  @Test("Edits and deletions of comments, edits of the post, and its end are told")
  func changes() throws {
    let post = try author.write("글")
    let comments = try (1...3).map { try author.comment(post, "\($0)") }
    let player = try server.player("나래")
    #expect(try player.watch(post).comments.map(\.text) == ["3", "2", "1"])
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    try passTicks()
    _ = try player.takeNews()
    _ = try author.request(TestPlayer.editComment(comments[0], "하나"))
    try passTicks()
    let edited = try player.postNews()
    #expect(edited.editedComments.map(\.text) == ["하나"] && edited.comments.isEmpty && !edited.hasPost)
    try author.expectOk(TestPlayer.delete(comments[1]))
    try passTicks()
    let deleted = try player.postNews()
    #expect(deleted.deletedComments == [comments[1].commentID] && deleted.commentCount == 2)
    _ = try author.edit(post) { $0.title = "새 글" }
    try passTicks()
    let news = try player.postNews()
    #expect(news.post.title == "새 글" && news.post.version == 2 && news.comments.isEmpty)
    try author.expectOk(TestPlayer.delete(post))
    try passTicks()
    #expect(try player.postNews().deleted)
    _ = try server.report { $0.play.stories.postWatches == 0 }
    try passTicks()
    #expect(try player.takeNews().isEmpty)
  }

  @Test("At most four news a second come to a watcher, encoded once for all of a shard")
  func throttled() throws {
    let server = try TestServer(shards: 1)
    let author = try server.player("가람")
    let post = try author.write("글")
    let players = try (0..<5).map { try server.player("나래 \($0)") }
    for player in players {
      try player.watch(post)
      try player.watchFeed()
    }
    _ = try server.report { $0.play.stories.acts[.view] == 5 }
    for _ in 0..<30 {
      server.clock.advance(milliseconds: 100)
      for _ in 0..<4 { _ = server.report() }
    }
    for player in players { _ = try player.takeNews() }
    let before = server.report().play.stories
    // Ten seconds, with two or three comments in each.
    for step in 0..<100 {
      server.clock.advance(milliseconds: 100)
      if step % 4 == 0 { try author.comment(post, "\(step)") }
      for _ in 0..<8 { _ = server.report() }
      if step % 20 == 0 { for player in players { try player.pump() } }
    }
    let after = server.report().play.stories
    let encodings = after.encodings - before.encodings
    for player in players {
      let news = try player.takeNews()
      #expect((12...40).contains(news.count), "\(news.count) in ten seconds")
    }
    #expect(after.news - before.news == encodings * 5)
  }

  @Test("New posts, edits and counts come to who watches a feed; another feed's posts don't")
  func feed() throws {
    let first = try author.write("하나", "글 #바다") { $0.countries = ["IT"] }
    let players = try watchers()
    #expect(try players[0].watchFeed().posts.map(\.title) == ["하나"])
    #expect(try players[1].watchFeed { $0.country = "IT" }.posts.map(\.title) == ["하나"])
    #expect(try players[2].watchFeed { $0.hashtag = "산" }.posts.isEmpty)
    #expect(try players[3].watchFeed { $0.sort = .likes }.posts.map(\.title) == ["하나"])
    _ = try server.report { $0.play.stories.feedWatches == 4 }
    let second = try author.write("둘", "글 #산")
    try passTicks()
    let news = try players[0].feedNews()
    #expect(news.order == [second.postID, first.postID] && news.posts.map(\.title) == ["둘"] && !news.anew)
    #expect(try players[2].feedNews().posts.map(\.title) == ["둘"])
    #expect(try players[3].feedNews().order == [second.postID, first.postID])
    #expect(try players[1].takeNews().isEmpty)
    try players[0].like(first)
    try passTicks()
    let counts = try players[0].feedNews()
    #expect(counts.order.isEmpty && counts.posts.isEmpty && counts.counts.map(\.postID) == [first.postID])
    #expect(counts.counts.map(\.likes) == [1])
    #expect(try players[1].feedNews().counts.map(\.likes) == [1])
    #expect(try players[3].feedNews().order == [first.postID, second.postID])
    #expect(try players[2].takeNews().isEmpty)
    _ = try author.edit(second) { $0.text = "글 #바다" }
    try passTicks()
    #expect(try players[0].feedNews().posts.map(\.hashtags) == [["바다"]])
    let left = try players[2].feedNews()
    #expect(left.anew && left.order.isEmpty && left.posts.isEmpty)
  }

  @Test("The most liked posts of some days come to who watches them, of everybody and of a country")
  func tops() throws {
    let posts = try ["IT", "KR", "IT"].map { code in try author.write(code) { $0.countries = [code] } }
    let players = try watchers()
    #expect(try players[0].watchFeed { $0.topDays = 7 }.posts.map(\.postID) == posts.reversed().map(\.postID))
    let hot = try players[1].watchFeed { ($0.topDays, $0.country) = (30, "IT") }
    #expect(hot.posts.map(\.postID) == [posts[2].postID, posts[0].postID] && hot.nextCursor.isEmpty)
    // A country's top one is the first of its posts by likes.
    try players[2].watchFeed { ($0.sort, $0.country) = (.likes, "IT") }
    _ = try server.report { $0.play.stories.feedWatches == 3 }
    try players[3].like(posts[0])
    try passTicks()
    #expect(try players[0].feedNews().order == [posts[0], posts[2], posts[1]].map(\.postID))
    for player in players[1...2] {
      let news = try player.feedNews()
      #expect(news.order == [posts[0].postID, posts[2].postID] && news.counts.map(\.likes) == [1])
    }
    server.clock.advance(seconds: 8 * 86_400)
    _ = try author.write("새 글") { $0.countries = ["KR"] }
    try passTicks()
    #expect(try players[0].feedNews().posts.map(\.title) == ["새 글"])
    let faults: [(inout WireWatchFeed) -> Void] = [
      { $0.topDays = 0 }, { $0.topDays = 31 }, { ($0.topDays, $0.hashtag) = (7, "바다") },
      { ($0.topDays, $0.authorID) = (7, posts[0].authorID) }, { ($0.topDays, $0.sort) = (7, .views) },
    ]
    for wrong in faults {
      var watch = WireWatchFeed()
      wrong(&watch)
      #expect(try players[3].refusal(of: .watchFeed(watch)).code == .outOfRange)
    }
  }

  @Test("A watch is replaced by the next of its kind, and ends by request or with the connection")
  func ends() throws {
    let (first, second) = (try author.write("하나"), try author.write("둘"))
    let player = try server.player("나래")
    try player.watch(first)
    try player.watch(second)
    try player.watchFeed { $0.country = "IT" }
    try player.watchFeed { $0.country = "KR" }
    _ = try server.report { $0.play.stories.postWatches == 1 && $0.play.stories.feedWatches == 1 }
    try passTicks()
    _ = try player.takeNews()
    try author.comment(first, "안녕")
    try passTicks()
    #expect(try player.takeNews().isEmpty)
    try player.expectOk(.unwatchPost(WireUnwatchPost()))
    try player.expectOk(.unwatchPost(WireUnwatchPost()))
    try player.expectOk(.unwatchFeed(WireUnwatchFeed()))
    try author.comment(second, "안녕")
    try passTicks()
    #expect(try player.takeNews().isEmpty)
    try player.watch(first)
    try player.watchFeed()
    player.socket.reset()
    _ = try server.report { $0.play.stories.postWatches == 0 && $0.play.stories.feedWatches == 0 }
    var nowhere = first
    nowhere.postID = String(repeating: "7", count: 32)
    var watch = WireWatchPost()
    watch.postID = nowhere.postID
    #expect(try author.refusal(of: .watchPost(watch)).code == .postNotFound)
    _ = try server.report { $0.play.stories.postWatches == 0 }
  }

  @Test("Watches go along to a room on another shard, and what happened meanwhile is told")
  func moving() throws {
    let hosts = try (0..<2).map { try server.player("host \($0)") }
    let codes = try hosts.map { try $0.createRoom().code }
    let post = try author.write("글")
    let player = try server.player("나래")
    try player.watch(post)
    try player.watchFeed()
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    try passTicks()
    _ = try player.takeNews()
    for (index, code) in codes.enumerated() {
      _ = try player.joinRoom(code)
      let comment = try author.comment(post, "\(index)")
      try passTicks()
      var comments: [String] = []
      while comments.last != comment.commentID { comments += try player.postNews().comments.map(\.commentID) }
      var counts: UInt32 = 0
      while counts != UInt32(index + 1) {
        let news = try player.feedNews()
        counts = (news.counts.map(\.commentCount) + news.posts.map(\.commentCount)).max() ?? counts
      }
      try player.expectOk(.leaveRoom(WireLeaveRoom()))
      _ = try player.takeNews()
    }
    _ = try server.report { $0.play.stories.postWatches == 1 && $0.play.stories.feedWatches == 1 }
  }

  @Test("Who has blocked a player gets no news of what that player writes")
  func blocks() throws {
    let other = try TestPlayer(port: server.port)
    let otherID = try other.hello("다온").playerID
    let post = try author.write("글")
    let player = try server.player("나래")
    try player.expectOk(.block(TestPlayer.block(otherID)))
    try player.watch(post)
    try player.watchFeed()
    try other.comment(post, "숨은 말")
    _ = try other.write("숨은 글")
    try author.comment(post, "보이는 말")
    try passTicks()
    try passTicks()
    var comments: [String] = []
    var titles: [String] = []
    for news in try player.takeNews() {
      switch news {
      case .postNews(let news): comments += news.comments.map(\.text)
      case .feedNews(let news): titles += news.posts.map(\.title)
      default: break
      }
    }
    #expect(Set(comments) == ["보이는 말"] && !titles.contains("숨은 글"))
  }

  @Test("Nothing is told that is not committed")
  func uncommitted() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let author = try server.player("가람")
    let post = try author.write("글")
    let player = try server.player("나래")
    try player.watch(post)
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    for _ in 0..<4 {
      server.clock.advance(milliseconds: 604)
      for _ in 0..<30 { _ = server.report() }
    }
    _ = try player.takeNews()
    store.hold()
    try author.send(TestPlayer.comment(post, "아직"), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    for _ in 0..<4 {
      server.clock.advance(milliseconds: 604)
      for _ in 0..<30 { _ = server.report() }
    }
    #expect(try player.takeNews().isEmpty)
    store.release()
    guard case .comment = try author.reply(to: 900) else { throw TestFailure("no comment") }
    server.clock.advance(milliseconds: 604)
    #expect(try player.postNews().comments.map(\.text) == ["아직"])
  }

  @Test("A watcher who does not read misses news, and gets the whole when it has caught up")
  func slowReader() throws {
    let server = try TestServer(shards: 1) {
      $0.netLimits.behindBytes = 0
      $0.netLimits.kernelSendBytes = 4_096
      $0.netLimits.pongSeconds = 100_000
      $0.netLimits.takenBytesPerSecondMin = 0
    }
    let author = try server.player("가람")
    let post = try author.write("글", String(repeating: "가", count: 2_000))
    let slow = try TestPlayer(unconnectedTo: server.port)
    slow.socket.shrinkReceiveBuffer()
    try slow.socket.send(TestPlayer.upgradeRequest())
    try slow.finishUpgrade()
    try slow.hello("slow")
    try slow.watch(post)
    var missed = 0
    for index in 0..<400 where missed < 2 {
      let before = server.report().play.stories.news
      _ = try author.edit(post) { $0.text = String(repeating: index % 2 == 0 ? "나" : "다", count: 2_000) }
      server.clock.advance(milliseconds: 3_100)
      for _ in 0..<30 { _ = server.report() }
      if server.report().play.stories.news == before { missed += 1 }
    }
    #expect(missed == 2)
    _ = try author.edit(post) { $0.title = "마지막" }
    repeat { try slow.pump() } while server.report().unsentBytes > 0
    for _ in 0..<3 {
      server.clock.advance(milliseconds: 604)
      for _ in 0..<30 { _ = server.report() }
    }
    var news = try slow.postNews()
    while news.post.title != "마지막" { news = try slow.postNews() }
    #expect(news.anew)
  }
}
