// Operators' warnings over real sockets: told at once and behind each welcome, until they are seen.
import Game
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct WarningsTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 2)
  }

  @Test("A warning comes at once to who is connected, and again behind each welcome until it is seen")
  func told() throws {
    let player = try TestPlayer(port: server.port)
    let welcome = try player.hello("가람")
    let post = try player.write("글")
    let id = try #require(PlayerID(welcome.playerID))
    let subject = ReportSubject.post(try #require(PostID(post.postID)))
    #expect(server.perform(.warn(id, about: subject, text: "헐뜯지 마세요")).isDone)
    let warning = try player.warning()
    #expect(warning.text == "헐뜯지 마세요" && warning.postID == post.postID && warning.warnedAtMs > 0)
    // It comes into a room's state too, and after a crash.
    _ = try player.createRoom()
    let again = try server.crash()
    let back = try TestPlayer(port: again.port)
    #expect(try back.resume(welcome.sessionToken).hasRoom)
    #expect(try back.warning() == warning)
    try back.expectOk(TestPlayer.seeWarning(warning.warningID))
    #expect(try back.refusal(of: TestPlayer.seeWarning(warning.warningID)).code == .warningNotFound)
    let third = try TestPlayer(port: again.port)
    _ = try third.resume(welcome.sessionToken)
    #expect(try third.warningCount() == 0)
    for wrong in ["x", String(repeating: "7", count: 32)] {
      #expect(try third.refusal(of: TestPlayer.seeWarning(wrong)).code == .warningNotFound)
    }
  }

  @Test("Who is away is warned when they come")
  func away() throws {
    let secret = String(repeating: "비밀", count: 4)
    let id = try TestPlayer(port: server.port).helloID("가람", secret: secret)
    _ = try server.report { !$0.play.gateway.closed.isEmpty && $0.isCommitted }
    for number in 1...2 {
      server.clock.advance(milliseconds: 1)
      #expect(server.perform(.warn(id, about: nil, text: "조심 \(number)")).isDone)
    }
    let back = try TestPlayer(port: server.port)
    #expect(try back.helloID("가람", secret: secret) == id)
    #expect(try [back.warning().text, back.warning().text] == ["조심 1", "조심 2"])
  }

  @Test("A warning needs words and a player, and has a row in the audit log")
  func refusals() throws {
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    for text in ["", " ", String(repeating: "가", count: 501), "\u{7}"] {
      #expect(server.perform(.warn(id, about: nil, text: text)).refusal != nil)
    }
    #expect(server.perform(.warn(PlayerID(7), about: nil, text: "조심")).refusal != nil)
    for _ in 0..<20 { #expect(server.perform(.warn(id, about: .profile(id), text: "조심")).isDone) }
    #expect(server.perform(.warn(id, about: nil, text: "조심")).refusal?.contains("20 warnings") == true)
    #expect(try player.warning().profile)
    let audit = try server.audit()
    #expect(audit.count == 20 && audit.allSatisfy { $0.action == "warn" && $0.player == id })
    #expect(audit.first?.detail == "profile \(id): 조심")
  }
}
