// An operator's list of words over real sockets: each kind of text is refused for a word of it, and taken without.
import Game
import MadangProtocol
import TestSupport
import Testing

@Suite struct RefusedWordsTests {
  private let server: TestServer

  init() throws {
    let list = try WordList(text: "나쁜말\nbad\n")
    server = try TestServer { $0.gateway.words = list }
  }

  @Test("A nickname with a listed word is refused, at hello and later")
  func nicknames() throws {
    #expect(throws: TestFailure.self) { try server.player("나.쁜.말") }
    let player = try server.player("가람")
    var wire = WireSetNickname()
    wire.nickname = "BAD"
    #expect(try player.refusal(of: .setNickname(wire)).code == .wordRefused)
    wire.nickname = "badge"
    guard case .ok = try player.request(.setNickname(wire)) else { throw TestFailure("refused") }
    var register = WireRegister()
    (register.email, register.password, register.nickname) = ("a@example.org", "a good password", "bad")
    #expect(try player.refusal(of: .register(register)).code == .wordRefused)
  }

  @Test("Posts and comments with a listed word are refused, when they are written and when they are edited")
  func stories() throws {
    let player = try server.player("가람")
    var write = WireWritePost()
    (write.title, write.text) = ("바다", "정말 나쁜말이다")
    #expect(try player.refusal(of: .writePost(write)).code == .wordRefused)
    (write.title, write.text) = ("bad", "파도")
    #expect(try player.refusal(of: .writePost(write)).code == .wordRefused)
    write.title = "바다"
    guard case .post(let post) = try player.request(.writePost(write)) else { throw TestFailure("no post") }
    var edit = WireEditPost()
    (edit.postID, edit.text) = (post.postID, "b.a.d")
    #expect(try player.refusal(of: .editPost(edit)).code == .wordRefused)
    var comment = WireCommentRequest()
    (comment.postID, comment.text) = (post.postID, "나 쁜 말")
    #expect(try player.refusal(of: .comment(comment)).code == .wordRefused)
    comment.text = "나쁜"
    guard case .comment(let written) = try player.request(.comment(comment)) else { throw TestFailure("no comment") }
    var edited = WireEditComment()
    (edited.commentID, edited.text) = (written.commentID, "나쁜말")
    #expect(try player.refusal(of: .editComment(edited)).code == .wordRefused)
  }

  @Test("Capsules and chats with a listed word are refused")
  func others() throws {
    let player = try server.player("가람")
    let capsule = try player.bury(atM: 0) { _ in }
    var edit = WireEditCapsule()
    (edit.capsuleID, edit.title) = (capsule.capsuleID, "나쁜말")
    #expect(try player.refusal(of: .editCapsule(edit)).code == .wordRefused)
    #expect(throws: TestFailure.self) { try player.bury(atM: 0) { $0.text = "a bad one" } }
    _ = try player.createRoom()
    var chat = WireChatRequest()
    chat.text = "나쁜말"
    #expect(try player.refusal(of: .chat(chat)).code == .wordRefused)
    chat.text = "좋은말"
    guard case .ok = try player.request(.chat(chat)) else { throw TestFailure("refused") }
  }

  @Test("Plans, their stops and introductions with a listed word are refused")
  func plansAndProfiles() throws {
    let player = try server.player("가람")
    var write = WireWritePlan()
    (write.title, write.firstDate, write.lastDate) = ("나쁜말", "2026-12-24", "2026-12-26")
    #expect(try player.refusal(of: .writePlan(write)).code == .wordRefused)
    write.title = "겨울"
    guard case .plan(let plan) = try player.request(.writePlan(write)) else { throw TestFailure("no plan") }
    var edit = WireEditPlan()
    (edit.planID, edit.version, edit.title) = (plan.planID, 1, "bad")
    #expect(try player.refusal(of: .editPlan(edit)).code == .wordRefused)
    var add = WireAddStop()
    (add.planID, add.version, add.stop.date) = (plan.planID, 1, "2026-12-24")
    (add.stop.title, add.stop.text) = ("해변", "나쁜말")
    #expect(try player.refusal(of: .addStop(add)).code == .wordRefused)
    add.stop.text = "맨발로"
    guard case .stopChange(let change) = try player.request(.addStop(add)) else { throw TestFailure("no stop") }
    var stop = WireEditStop()
    (stop.planID, stop.version, stop.stopID, stop.title) = (plan.planID, 2, change.stopID, "bad")
    #expect(try player.refusal(of: .editStop(stop)).code == .wordRefused)
    var profile = WireSetProfile()
    profile.introduction = "나쁜말"
    #expect(try player.refusal(of: .setProfile(profile)).code == .wordRefused)
  }

  @Test("A known player comes in whatever their nickname, keeps the one before, and is told")
  func known() throws {
    let secret = "secret of an old guest"
    func come(_ nickname: String) throws -> WireWelcome {
      let player = try TestPlayer(port: server.port)
      return try player.hello(nickname, secret: secret)
    }
    server.server.replaceWords(.empty)
    let first = try come("나쁜말")
    #expect(!first.player.nicknameRefused)
    server.server.replaceWords(try WordList(text: "나쁜말\nbad\n"))
    let listed = try come("나쁜말")
    #expect(listed.playerID == first.playerID && listed.player.nickname == "나쁜말" && listed.player.nicknameRefused)
    let good = try come("가람")
    #expect(good.playerID == first.playerID && good.player.nickname == "가람" && !good.player.nicknameRefused)
    let bad = try come("bad")
    #expect(bad.playerID == first.playerID && bad.player.nickname == "가람" && bad.player.nicknameRefused)
    let stranger = try TestPlayer(port: server.port)
    #expect(throws: TestFailure.self) { try stranger.hello("bad") }
    _ = try stranger.hello("badge")
  }

  @Test("The name of a proposed land with a listed word is refused")
  func lands() throws {
    let player = try server.player("가람")
    var propose = WireProposeLand()
    (propose.gameID, propose.name) = ("8c1f0b6a2d9e43578f60c1d2e3f4a5b6-1", "나쁜말 공원")
    #expect(try player.refusal(of: .proposeLand(propose)).code == .wordRefused)
    propose.name = "공원"
    #expect(try player.refusal(of: .proposeLand(propose)).code == .gameNotFound)
  }

  @Test("Another list judges from then on")
  func replaced() throws {
    let player = try server.player("가람")
    server.server.replaceWords(try WordList(text: "worse\n"))
    var wire = WireSetNickname()
    wire.nickname = "bad"
    guard case .ok = try player.request(.setNickname(wire)) else { throw TestFailure("refused") }
    wire.nickname = "worse"
    #expect(try player.refusal(of: .setNickname(wire)).code == .wordRefused)
  }
}
