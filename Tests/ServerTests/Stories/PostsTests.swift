// Posts over real sockets: written, read, edited and deleted, in both encodings; likes and views count once.
import Game
import MadangProtocol
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct PostsTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 2)
  }

  @Test("A post has what its author wrote, for everybody, in both encodings", arguments: [Subprotocol.json, .proto])
  func whole(subprotocol: Subprotocol) throws {
    let author = try server.player("가람", subprotocol)
    let post = try author.write("여름 바다", "파도 소리를 들었다. #바다 #여름\n그리고 #바다") { write in
      write.countries = ["PH", "IT"]
      write.latE7 = 110_000_000
      write.lngE7 = 1_229_000_000
      write.soundtrack.music.name = "설레는 피서"
      write.soundtrack.music.volumePercent = 0
      write.soundtrack.effects = ["조용한 해변가", "비행기 안"].map { name in
        var sound = WireSound()
        sound.name = name
        return sound
      }
    }
    #expect(post.version == 1 && post.nickname == "가람" && !post.hasEditedAtMs && !post.liked)
    let reader = try server.player("나래", subprotocol)
    let seen = try reader.read(post)
    #expect(seen.title == "여름 바다" && seen.text == "파도 소리를 들었다. #바다 #여름\n그리고 #바다")
    #expect(seen.countries == ["PH", "IT"] && seen.hashtags == ["바다", "여름"])
    #expect(seen.latE7 == 110_000_000 && seen.lngE7 == 1_229_000_000)
    #expect(seen.soundtrack.music.name == "설레는 피서" && seen.soundtrack.music.volumePercent == 0)
    #expect(seen.soundtrack.effects.map(\.name) == ["조용한 해변가", "비행기 안"])
    #expect(seen.soundtrack.effects.map(\.volumePercent) == [100, 100])
    #expect(seen.authorID == post.authorID && seen.writtenAtMs == post.writtenAtMs)
  }

  @Test("A text has 2,000 characters and 8,000 bytes", arguments: [Subprotocol.json, .proto])
  func length(subprotocol: Subprotocol) throws {
    let author = try server.player("가람", subprotocol)
    for text in [String(repeating: "가", count: 2_000), String(repeating: "😀", count: 2_000)] {
      #expect(try author.write("긴 글", text).text == text)
    }
    #expect(try author.writeRefusal { $0.text = String(repeating: "가", count: 2_001) } == .textTooLong)
    #expect(try author.writeRefusal { $0.text = String(repeating: "👨‍👩‍👧‍👦", count: 330) } == .textTooLong)
    #expect(try author.write("가", String(repeating: "👨‍👩‍👧‍👦", count: 320)).version == 1)
  }

  @Test("An edit replaces what it has; likes, views and the time of writing stay")
  func editing() throws {
    let author = try server.player("가람")
    let reader = try server.player("나래")
    let post = try author.write("처음", "글 #하나") { $0.countries = ["PH"] }
    try reader.like(post)
    _ = try reader.read(post)
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    server.clock.advance(seconds: 5)
    let edited = try author.edit(post) { edit in
      edit.version = 1
      edit.text = "글 #둘"
      edit.countries = WirePostCountries()
      edit.latE7 = 10
      edit.lngE7 = 20
    }
    #expect(edited.version == 2 && edited.title == "처음" && edited.text == "글 #둘" && edited.hashtags == ["둘"])
    #expect(edited.countries.isEmpty && edited.latE7 == 10 && edited.likes == 1)
    #expect(edited.writtenAtMs == post.writtenAtMs && edited.editedAtMs == post.writtenAtMs + 5_000)
    let stale = TestPlayer.edit(post) { ($0.version, $0.title) = (1, "나중") }
    #expect(try author.refusal(of: .editPost(stale)).code == .staleVersion)
    let bare = try author.edit(post) { $0.withoutPlace = true }
    #expect(bare.version == 3 && !bare.hasLatE7 && bare.text == "글 #둘")
    let same = try author.edit(post) { $0.text = "글 #둘" }
    #expect(same.version == 3, "an edit that changes nothing")
    let seen = try reader.read(post)
    #expect(seen.version == 3 && seen.liked && seen.likes == 1 && seen.views == 1)
  }

  @Test("Only the author edits or deletes; what is gone is not found")
  func others() throws {
    let author = try server.player("가람")
    let other = try server.player("나래")
    let post = try author.write("내 글")
    let comment = try other.comment(post, "안녕")
    #expect(try other.refusal(of: .editPost(TestPlayer.edit(post) { $0.title = "네 글" })).code == .notAuthor)
    #expect(try other.refusal(of: TestPlayer.delete(post)).code == .notAuthor)
    #expect(try author.refusal(of: TestPlayer.delete(comment)).code == .commentNotFound)
    #expect(try author.refusal(of: TestPlayer.editComment(comment, "잘 가")).code == .commentNotFound)
    try author.expectOk(TestPlayer.delete(post))
    for body in [
      TestPlayer.delete(post), TestPlayer.read(post), TestPlayer.comment(post, "어디"), TestPlayer.like(post),
      TestPlayer.unlike(post), .editPost(TestPlayer.edit(post) { $0.title = "다시" }),
    ] {
      #expect(try other.refusal(of: body).code == .postNotFound)
      #expect(try author.refusal(of: body).code == .postNotFound)
    }
    #expect(try other.refusal(of: TestPlayer.delete(comment)).code == .commentNotFound)
    #expect(try other.posts().isEmpty)
  }

  @Test("A like counts once for each player, over two connections at once too; nobody likes their own post")
  func likes() throws {
    let author = try server.player("가람")
    let post = try author.write("좋아요")
    let reader = try server.player("나래")
    #expect(try reader.like(post).likes == 1 && reader.like(post).likes == 1 && reader.read(post).liked)
    let others = try (0..<3).map { try server.player("다온 \($0)") }
    for other in others { for id: UInt32 in [500, 501] { try other.send(TestPlayer.like(post), id: id) } }
    for other in others { for id: UInt32 in [500, 501] { _ = try other.reply(to: id) } }
    #expect(try author.read(post).likes == 4)
    let secret = "secret of two devices"
    let both = try (0..<2).map { _ in try TestPlayer(port: server.port) }
    _ = try both[0].hello("라온", secret: secret)
    try both[0].send(TestPlayer.like(post), id: 500)
    // The second connection takes the first one's place, whether that was answered or not.
    _ = try both[1].hello("라온", secret: secret)
    #expect(try both[1].like(post).likes == 5 && both[1].read(post).liked)
    #expect(try both[1].unlike(post).likes == 4 && author.read(post).likes == 4)
    #expect(try reader.unlike(post).likes == 3 && reader.unlike(post).likes == 3 && !reader.read(post).liked)
    #expect(try author.refusal(of: TestPlayer.like(post)).code == .ownPost)
    #expect(try author.read(post).likes == 3)
  }

  @Test("A view counts once in 24 hours for each player and post, the author's never")
  func views() throws {
    let author = try server.player("가람")
    let post = try author.write("조회")
    let reader = try server.player("나래")
    #expect(try reader.read(post).views == 0)
    _ = try server.report { $0.play.stories.acts[.view] == 1 }
    #expect(try reader.read(post).views == 1 && author.read(post).views == 1)
    _ = try server.report { $0.isCommitted }
    #expect(try author.read(post).views == 1)
    let day = try server.crash(downFor: 86_401)
    let back = try day.player("다온")
    #expect(try back.read(post).views == 1)
    _ = try day.report { $0.play.stories.acts[.view] == 1 }
    #expect(try back.read(post).views == 2)
  }

  @Test("A post may name a capsule that everyone may see, and no other: nobody learns of a private one by it")
  func capsules() throws {
    let (author, other) = (try server.player("가람"), try server.player("나래"))
    let (own, others) = (try author.bury(atM: 0) { $0.everyone = true }, try other.bury(atM: 0))
    let secret = try author.bury(atM: 0)
    #expect(try author.writeRefusal { $0.capsuleID = secret.capsuleID } == .capsuleNotForEveryone)
    #expect(try author.write("캡슐") { $0.capsuleID = own.capsuleID }.capsuleID == own.capsuleID)
    #expect(try author.writeRefusal { $0.capsuleID = others.capsuleID } == .capsuleNotFound)
    #expect(try author.writeRefusal { $0.capsuleID = "nonsense" } == .capsuleNotFound)
    let post = try author.write("없음")
    let edit = TestPlayer.edit(post) { $0.capsuleID = others.capsuleID }
    #expect(try author.refusal(of: .editPost(edit)).code == .capsuleNotFound)
    let disclosure = TestPlayer.edit(post) { $0.capsuleID = secret.capsuleID }
    #expect(try author.refusal(of: .editPost(disclosure)).code == .capsuleNotForEveryone)
    #expect(try author.edit(post) { $0.capsuleID = own.capsuleID }.capsuleID == own.capsuleID)
    #expect(try author.edit(post) { $0.capsuleID = "" }.capsuleID.isEmpty)
  }

  @Test("Comments have their order and numbers; their authors edit and delete them")
  func comments() throws {
    let author = try server.player("가람")
    let post = try author.write("댓글")
    let reader = try server.player("나래")
    let comments = try (1...5).map { try reader.comment(post, "\($0)") }
    #expect(comments.map(\.number) == [1, 2, 3, 4, 5] && comments[0].nickname == "나래")
    #expect(try author.comments(of: post) == ["5", "4", "3", "2", "1"])
    #expect(try author.comments(of: post, oldestFirst: true) == ["1", "2", "3", "4", "5"])
    guard case .comment(let edited) = try reader.request(TestPlayer.editComment(comments[1], "둘")) else {
      throw TestFailure("not edited")
    }
    #expect(edited.text == "둘" && edited.number == 2 && edited.hasEditedAtMs)
    try reader.expectOk(TestPlayer.delete(comments[2]))
    let opened = try author.read(post, limit: 2)
    #expect(opened.commentCount == 4 && opened.comments.map(\.text) == ["5", "4"] && !opened.commentsCursor.isEmpty)
    var list = WireListComments()
    list.postID = post.postID
    list.cursor = opened.commentsCursor
    guard case .comments(let page) = try author.request(.listComments(list)) else { throw TestFailure("no page") }
    #expect(page.comments.map(\.text) == ["둘", "1"] && page.nextCursor.isEmpty)
  }

  @Test("Who is blocked is not read, and neither comments on nor likes the blocker's posts")
  func blocks() throws {
    let author = try server.player("가람")
    let other = try TestPlayer(port: server.port)
    let otherID = try other.hello("나래").playerID
    let (own, others) = (try author.write("내 글"), try other.write("네 글"))
    let comment = try other.comment(own, "안녕")
    try author.expectOk(.block(TestPlayer.block(otherID)))
    #expect(try author.refusal(of: TestPlayer.read(others)).code == .postNotFound)
    #expect(try author.posts() == ["내 글"] && author.found("글").isEmpty == false && author.comments(of: own).isEmpty)
    #expect(try other.refusal(of: TestPlayer.comment(own, "또")).code == .blocked)
    #expect(try other.refusal(of: TestPlayer.like(own)).code == .blocked)
    #expect(try other.read(own).comments.map(\.commentID) == [comment.commentID])
    try author.expectOk(.unblock(TestPlayer.unblock(otherID)))
    #expect(try author.read(others).title == "네 글" && author.comments(of: own) == ["안녕"])
    #expect(try other.like(own).likes == 1)
  }

  @Test("A muted player writes neither posts nor comments, and may delete and like")
  func muted() throws {
    let player = try TestPlayer(port: server.port)
    let id = try #require(PlayerID(try player.hello("나래").playerID))
    let post = try server.player("가람").write("글")
    let own = try player.write("내 글")
    let comment = try player.comment(post, "안녕")
    #expect(server.perform(.mute(id, for: nil, reason: "")).isDone)
    #expect(try player.writeRefusal { _ in } == .muted)
    #expect(try player.refusal(of: .editPost(TestPlayer.edit(own) { $0.title = "다시" })).code == .muted)
    #expect(try player.refusal(of: TestPlayer.comment(post, "또")).code == .muted)
    #expect(try player.refusal(of: TestPlayer.editComment(comment, "또")).code == .muted)
    #expect(try player.like(post).likes == 1)
    try player.expectOk(TestPlayer.delete(comment))
    try player.expectOk(TestPlayer.delete(own))
  }

  @Test("What is answered survives a crash")
  func crash() throws {
    let author = try server.player("가람")
    let post = try author.write("남는 글", "바다")
    let reader = try server.player("나래")
    try reader.comment(post, "안녕")
    try reader.like(post)
    let again = try server.crash()
    let later = try again.player("다온").read(post)
    #expect(later.likes == 1 && later.commentCount == 1 && later.comments.map(\.text) == ["안녕"])
  }
}
