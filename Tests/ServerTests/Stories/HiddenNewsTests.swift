// News of watched posts and feeds for who has blocked or reported something of them, over real sockets: nothing tells
// that it is there, and all from whom the same is hidden share one encoding.
import MadangProtocol
import TestSupport
import Testing

@Suite struct HiddenNewsTests {
  private let server: TestServer
  private let author: TestPlayer
  private let other: TestPlayer
  private let otherID: String

  init() throws {
    server = try TestServer(shards: 1)
    author = try server.player("가람")
    other = try TestPlayer(port: server.port)
    otherID = try other.hello("다온").playerID
  }

  /// Lets the next ticks of posts and of feeds pass: what is committed before is told.
  private func passTicks() throws {
    for _ in 0..<2 {
      _ = try server.report { $0.isCommitted }
      server.clock.advance(milliseconds: 604)
      for _ in 0..<30 { _ = server.report() }
    }
  }

  private func news(_ player: TestPlayer) throws -> (posts: [WirePostNews], feeds: [WireFeedNews]) {
    var (posts, feeds): ([WirePostNews], [WireFeedNews]) = ([], [])
    for body in try player.takeNews() {
      if case .postNews(let news) = body { posts.append(news) }
      if case .feedNews(let news) = body { feeds.append(news) }
    }
    return (posts, feeds)
  }

  @Test("A feed says nothing of a blocked player's post: neither its place, nor its likes, nor its end")
  func blockedFeed() throws {
    let first = try author.write("하나")
    let (player, friend) = (try server.player("나래"), try server.player("라온"))
    try player.expectOk(.block(TestPlayer.block(otherID)))
    let earlier = try other.write("앞선 글")
    for watcher in [friend, player] { try watcher.watchFeed { $0.limit = 20 } }
    try passTicks()
    #expect(try news(player).feeds.isEmpty && news(friend).feeds.isEmpty, "both know all, so nothing comes anew")
    let hidden = try other.write("숨은 글")
    try friend.like(hidden)
    try friend.like(earlier)
    try passTicks()
    #expect(try news(friend).feeds.flatMap(\.order).contains(hidden.postID))
    #expect(try news(player).feeds.isEmpty)
    let second = try author.write("둘")
    try passTicks()
    let told = try news(player).feeds
    #expect(told.map(\.order) == [[second.postID, first.postID]] && told.flatMap(\.counts).isEmpty)
    #expect(told.flatMap(\.posts).map(\.title) == ["둘"])
    try other.expectOk(TestPlayer.delete(hidden))
    try passTicks()
    #expect(try news(player).feeds.isEmpty)
    let end = try news(friend).feeds
    #expect(end.last?.order == [second.postID, earlier.postID, first.postID])
  }

  @Test("A post says nothing of a blocked player's comment but the count; who watches it lacks nothing")
  func blockedComments() throws {
    let post = try author.write("글")
    let (player, friend) = (try server.player("나래"), try server.player("라온"))
    try player.expectOk(.block(TestPlayer.block(otherID)))
    let comment = try other.comment(post, "숨은 말")
    try friend.watch(post)
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    try passTicks()
    try player.watch(post)
    _ = try server.report { $0.play.stories.acts[.view] == 2 }
    try passTicks()
    #expect(try news(player).posts.allSatisfy { !$0.anew && $0.comments.isEmpty })
    _ = try news(friend)
    _ = try other.request(TestPlayer.editComment(comment, "다른 말"))
    try passTicks()
    #expect(try news(player).posts.isEmpty)
    #expect(try news(friend).posts.flatMap(\.editedComments).map(\.text) == ["다른 말"])
    try other.expectOk(TestPlayer.delete(comment))
    try passTicks()
    let last = try news(player).posts
    #expect(last.count == 1 && last.allSatisfy { $0.deletedComments.isEmpty && $0.commentCount == 0 })
    #expect(try news(friend).posts.flatMap(\.deletedComments) == [comment.commentID])
  }

  @Test("A reported post is in no order and no counts of its reporter's feed, while others go on with it")
  func reported() throws {
    let (first, second) = (try author.write("하나"), try author.write("둘"))
    let reporter = try server.player("나래")
    let friend = try server.player("라온")
    try reporter.watchFeed()
    try reporter.expectOk(TestPlayer.report(second))
    try passTicks()
    let anew = try news(reporter).feeds
    #expect(anew.last?.anew == true && anew.last?.order == [first.postID])
    try friend.like(second)
    try passTicks()
    #expect(try news(reporter).feeds.isEmpty)
    try friend.like(first)
    try passTicks()
    #expect(try news(reporter).feeds.flatMap(\.counts).map(\.postID) == [first.postID])
  }

  @Test("Who has hidden the same shares one encoding; who has hidden something else shares everybody's")
  func encodings() throws {
    let stranger = try TestPlayer(port: server.port)
    let strangerID = try stranger.hello("모르는 이").playerID
    let elsewhere = try author.write("다른 글")
    let watchers = try (0..<9).map { try server.player("나래 \($0)") }
    for (index, watcher) in watchers.enumerated() {
      if index % 3 == 0 { try watcher.expectOk(.block(TestPlayer.block(otherID))) }
      if index % 3 == 1 { try watcher.expectOk(.block(TestPlayer.block(strangerID))) }
    }
    let post = try author.write("글")
    for watcher in watchers {
      try watcher.watch(post)
      if watcher === watchers[4] { try watcher.expectOk(TestPlayer.report(elsewhere)) }
    }
    _ = try server.report { $0.play.stories.acts[.view] == 9 }
    try passTicks()
    for watcher in watchers { _ = try watcher.takeNews() }
    let before = server.report().play.stories
    try other.comment(post, "어떤 말")
    try author.comment(post, "답")
    try passTicks()
    let after = server.report().play.stories
    for (index, watcher) in watchers.enumerated() {
      let texts = try news(watcher).posts.flatMap(\.comments).map(\.text)
      #expect(texts == (index % 3 == 0 ? ["답"] : ["어떤 말", "답"]), "\(index)")
    }
    #expect(after.encodings - before.encodings <= 2 * (after.watchReads - before.watchReads))
    #expect(after.news - before.news >= 9)
  }

  @Test("A block takes a player's posts from a watched feed, and its end brings them back")
  func blocks() throws {
    let first = try author.write("하나")
    let second = try other.write("둘")
    let player = try server.player("나래")
    try player.watchFeed()
    try player.expectOk(.block(TestPlayer.block(otherID)))
    try passTicks()
    let without = try news(player).feeds
    #expect(without.last?.anew == true && without.last?.order == [first.postID])
    var unblock = WireUnblock()
    unblock.playerID = otherID
    try player.expectOk(.unblock(unblock))
    try passTicks()
    let with = try news(player).feeds
    #expect(with.last?.anew == true && with.last?.order == [second.postID, first.postID])
    #expect(with.last?.posts.map(\.title) == ["둘", "하나"])
  }

  @Test("An author who watches their own list with a hidden post in it lacks nothing")
  func ownHidden() throws {
    let posts = try (1...2).map { try author.write("\($0)") }
    for reporter in try server.reporters() { try reporter.expectOk(TestPlayer.report(posts[0])) }
    let page = try author.watchFeed { $0.authorID = posts[0].authorID }
    #expect(page.posts.map(\.title) == ["2", "1"] && page.posts.map(\.hidden) == [false, true])
    try passTicks()
    #expect(try news(author).feeds.isEmpty)
  }
}
