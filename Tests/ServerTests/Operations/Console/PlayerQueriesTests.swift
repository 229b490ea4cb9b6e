// Players in the console: found by a text, absent ones too, and all of one player.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct PlayerQueriesTests {
  @Test("Players are found by nickname, e-mail and identifier, whether they are there or not")
  func search() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    let game = operators.game
    let player = try TestPlayer(port: game.port)
    let id = try player.helloID("가람")
    try player.expectOk(.register(TestPlayer.register("garam@example.org", "correct horse", named: "가람")))
    _ = try player.createRoom()
    player.socket.reset()
    _ = try game.report { $0.connections == 0 }
    _ = try game.player("가람이 아닌")

    func found(_ text: String) throws -> [TestConsole.Object] {
      try console.ask("\"query\":\"players\",\"text\":\"\(text)\"").rows("players")
    }
    for text in ["가람", "garam@", "\(id)", "\(id)".prefix(8).description] {
      #expect(try found(text).first?.text("player") == "\(id)", "\(text)")
    }
    #expect(try found("가람").count == 2)
    #expect(try found("가람").first?.text("email") == "garam@example.org")
    #expect(try found("없는 이름").isEmpty)
    // As a keyboard or a file system composes it otherwise, with invisible characters, and from a paste.
    for text in ["\u{1100}\u{1161}\u{1105}\u{1161}\u{11B7}", "가\u{200B}람", " 가람 "] {
      #expect(try found(text).count == 2, "\(text)")
    }
    #expect(try found("\u{1100}\u{1161}\u{1105}\u{1161}\u{11B7}이").count == 1)
    for text in ["", "  ", "\u{200B}", String(repeating: "a", count: 101)] {
      #expect(
        try console.ask("\"query\":\"players\",\"text\":\"\(text)\"").text("error") == "text: 1 to 100 characters"
      )
    }

    #expect(game.perform(.mute(id, for: .seconds(60), reason: "도배")).isDone)
    let file = try #require(try console.ask("\"query\":\"player\",\"player\":\"\(id)\"")["file"] as? TestConsole.Object)
    #expect((file["player"] as? TestConsole.Object)?.text("nickname") == "가람")
    #expect(file["hasDevice"] as? Bool == true && file["network"] == nil)
    #expect(file.rows("sanctions").map { $0.text("kind") } == ["mute"])
    #expect(file.rows("rooms").count == 1 && file.rows("rooms")[0]["open"] as? Bool == true)
    #expect(file.rows("actions").map { $0.text("action") } == ["mute"])
    let nobody = try console.ask("\"query\":\"player\",\"player\":\"\(PlayerID(7))\"")
    #expect(nobody.text("error") == "there is no player \(PlayerID(7))")
    let back = try TestPlayer(port: game.port)
    _ = try back.login("garam@example.org", "correct horse")
    let here = try #require(try console.ask("\"query\":\"player\",\"player\":\"\(id)\"")["file"] as? TestConsole.Object)
    #expect((here["network"] as? TestConsole.Object)?.text("address") == "127.0.0.1")
  }
}
