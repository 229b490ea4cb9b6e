// Experience, grades and collectibles over real sockets: earned once, told live on whatever shard, never before a
// commit.
import Game
import MadangProtocol
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct ProgressTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 2)
  }

  @Test("Writing, deleting, liking and taking back count, and repeats don't")
  func experience() throws {
    let (author, reader) = (try server.player("가람"), try server.player("나래"))
    let posts = try (0..<2).map { try author.write("\($0)") }
    #expect(try author.profile().experience == 10)
    for _ in 0..<2 { try reader.like(posts[0]) }
    #expect(try reader.profile().experience == 1)
    for _ in 0..<2 { try reader.unlike(posts[0]) }
    #expect(try reader.profile().experience == 0)
    try reader.like(posts[0])
    try reader.like(posts[1])
    try author.expectOk(TestPlayer.delete(posts[0]))
    #expect(try author.profile().experience == 5)
    let again = try server.crash()
    let seen = try again.player("다온").profile(of: posts[1].authorID)
    #expect(seen.experience == 5 && seen.posts == 1)
  }

  @Test("A grade and collectibles are told behind the answer of what has earned them, once")
  func told() throws {
    let author = try server.player("가람")
    let post = try author.write("서울") { $0.countries = ["KR", "FR"] }
    #expect(try [author.collectible().kind, author.collectible().kind] == [.asiaPost, .europePost])
    let posts = try (2...20).map { try author.write("\($0)") { $0.countries = ["KR"] } }
    let ten = try author.collectible()
    #expect(ten.kind == .tenPosts && ten.awardedAtMs == server.clock.now().milliseconds)
    let grade = try author.gradeChange()
    #expect(grade.grade == .business && grade.experience == 100)
    let profile = try author.profile()
    #expect(profile.grade == .business && profile.posts == 20)
    #expect(profile.collectibles.map(\.kind) == [.asiaPost, .europePost, .tenPosts])
    try server.pass(seconds: 60, author)
    for post in [post, posts[0]] { try author.expectOk(TestPlayer.delete(post)) }
    let lost = try author.gradeChange()
    #expect(lost.grade == .economy && lost.experience == 95)
    _ = try author.edit(posts[1]) { $0.countries.codes = ["FR", "BR"] }
    #expect(try author.collectible().kind == .southAmericaPost)
    #expect(try author.takeProgress().isEmpty)
    let counts = server.report().play.profiles
    #expect(counts.collectibles == 4 && counts.gradeChanges == 2)
  }

  @Test("A soundtrack of all four parts earns one")
  func soundtrack() throws {
    let author = try server.player("가람")
    _ = try author.write("소리") { write in
      write.soundtrack.music.name = "설레는 피서"
      write.soundtrack.effects = ["조용한 해변가", "비행기 안", "산들바람"].map { name in
        var sound = WireSound()
        sound.name = name
        return sound
      }
    }
    #expect(try author.collectible().kind == .fullSoundtrack)
  }

  /// Has 99 players whom the store alone knows like a post.
  private func like99Times(_ post: WirePost) throws {
    let id = try #require(PostID(post.postID))
    let at = Instant(milliseconds: server.clock.now().milliseconds)
    let changes = (0..<99).flatMap { index -> [Change] in
      let player = PlayerID(id.value ^ UInt128(index + 1))
      let bytes = withUnsafeBytes(of: player.value) { Array($0) }
      let hello = HelloChange(
        device: bytes + bytes,
        newPlayer: player,
        nickname: "손님",
        session: NewSession(digest: bytes + bytes, connection: 1, expiresAt: at + .seconds(86_400)),
        at: at
      )
      return [SessionChange.hello(hello).change, StoryChange.like(id, player, at: at).change]
    }
    let outcomes = Box<Result<[Outcome], StoreFailure>>()
    server.store.commit(Batch(at: at, changes: changes)) { outcomes.put($0) }
    _ = try outcomes.take().get()
  }

  @Test("The hundredth like is told to the post's author, in rooms of either shard")
  func hundredth() throws {
    let hosts = try (0..<2).map { try server.player("host \($0)") }
    let rooms = try hosts.map { try $0.createRoom().code }
    let reader = try server.player("나래")
    for (index, room) in rooms.enumerated() {
      let author = try server.player("가람 \(index)")
      let post = try author.write("좋은 글")
      try like99Times(post)
      _ = try author.joinRoom(room)
      #expect(try author.takeProgress().isEmpty)
      #expect(try reader.like(post).likes == 100)
      let collectible = try author.collectible()
      #expect(collectible.kind == .likedPost)
      #expect(try reader.takeProgress().isEmpty)
      let profile = try reader.profile(of: post.authorID)
      #expect(profile.collectibles == [collectible])
    }
  }

  @Test("A player who is away finds it in the profile")
  func away() throws {
    let author = try TestPlayer(port: server.port)
    let secret = "secret of somebody away"
    let id = try author.hello("가람", secret: secret).playerID
    let post = try author.write("좋은 글")
    try like99Times(post)
    author.socket.endSending()
    _ = try server.report { $0.connections == 0 }
    try server.player("나래").like(post)
    let back = try TestPlayer(port: server.port)
    #expect(try back.hello("가람", secret: secret).playerID == id)
    #expect(try back.profile().collectibles.map(\.kind) == [.likedPost])
    #expect(try back.takeProgress().isEmpty)
  }

  @Test("Nothing is told that is not committed")
  func uncommitted() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let author = try server.player("가람")
    store.hold()
    var write = TestPlayer.post("서울")
    write.countries = ["KR"]
    try author.send(.writePost(write), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    for _ in 0..<30 { _ = server.report() }
    #expect(!author.hasInput)
    store.release()
    guard case .post = try author.reply(to: 900) else { throw TestFailure("no post") }
    #expect(try author.collectible().kind == .asiaPost)
  }
}
