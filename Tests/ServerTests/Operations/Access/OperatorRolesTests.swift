// What each role may do: the table, its refusals over real sockets, and tries to get around it.
import Foundation
import Game
import OperatorAccounts
import Server
import TestSupport
import Testing

@Suite struct OperatorRolesTests {
  private static let digits = String(repeating: "0a", count: 16)

  /// A message that any act can be read from.
  private static func message(_ act: OperatorAct) -> String {
    let things = ["player", "room", "subject", "proposal", "webhook", "land"].map { "\"\($0)\":\"\(digits)\"" }
    let others = [
      "\"kind\":\"post\",\"text\":\"x\",\"season\":1,\"name\":\"grafana\",\"role\":\"admin\",\"reason\":\"why\"",
      "\"url\":\"https://example.org\",\"events\":[\"fence\"],\"fenceIds\":[\"\(digits)\"]",
      "\"fences\":[{\"fenceId\":\"\(digits)\",\"name\":\"a\",\"latE7\":0,\"lngE7\":0,\"radiusMm\":50000}]",
      "\"lands\":[{\"name\":\"a\"}],\"school\":\"E1\",\"schools\":[{\"id\":\"E1\",\"name\":\"a\",\"level\":\"middle\"}]",
    ]
    return (["\"act\":\"\(act.rawValue)\""] + things + others).joined(separator: ",")
  }

  @Test("Whoever is below an act's least role is refused it, and the server is as before")
  func refusals() throws {
    let team = try TestTeam()
    let viewer = try TestConsole(team.operators, team.token("grafana", "viewer"))
    let moderator = try TestConsole(team.operators, team.token("bot", "moderator"))
    let before = team.folder.read("madang.operators")
    for (console, role) in [(viewer, OperatorRole.viewer), (moderator, .moderator)] {
      let hello = try console.received("hello")
      #expect(hello.text("role") == role.rawValue)
      let acts = OperatorAct.allCases.filter { $0.leastRole <= role }.map(\.rawValue)
      #expect(hello["acts"] as? [String] == acts)
      for act in OperatorAct.allCases where act.leastRole > role {
        // The feed takes twenty messages a second.
        team.operators.game.clock.advance(milliseconds: 100)
        let reply = try console.ask(Self.message(act))
        #expect(
          reply.text("error")
            == "\(act.rawValue) needs the role \(act.leastRole.rawValue), and yours is \(role.rawValue)"
        )
      }
    }
    #expect(try team.operators.game.audit().map(\.action) == ["addToken", "addToken"])
    #expect(team.folder.read("madang.operators") == before)
    #expect(!team.operators.game.server.isDraining)
  }

  @Test("Each role may do what it may do")
  func permissions() throws {
    let team = try TestTeam()
    let moderator = try TestConsole(team.operators, team.token("bot", "moderator"))
    for act in OperatorAct.allCases where act.leastRole <= .moderator {
      team.operators.game.clock.advance(milliseconds: 100)
      let reply = try moderator.ask(Self.message(act))
      #expect(reply.text("error")?.contains("needs the role") != true, "\(act)")
    }
    let viewer = try team.token("grafana", "viewer")
    #expect(try team.operators.get("/metrics", viewer).status == 200)
    #expect(try TestConsole(team.operators, viewer).watch("audit").rows("rows").isEmpty == false)
  }

  @Test("The table of CONSOLE.md names each act, and no other")
  func documented() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
    let text = try String(contentsOf: package.appending(path: "docs/CONSOLE.md"), encoding: .utf8)
    var rows: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 2, let role = OperatorRole(rawValue: cells[1]) else { continue }
      for act in cells[0].split(separator: ",") {
        rows[act.trimmingCharacters(in: .init(charactersIn: "` "))] = role.rawValue
      }
    }
    #expect(rows == Dictionary(uniqueKeysWithValues: OperatorAct.allCases.map { ($0.rawValue, $0.leastRole.rawValue) }))
  }

  @Test("A person says why, and the audit log has who, why and the room's code")
  func reasons() throws {
    let team = try TestTeam()
    let yuna = try TestConsole(team.operators, team.person("yuna", "moderator"))
    #expect(try yuna.received("hello")["reasonedActs"] as? [String] == ["kick", "ban", "closeRoom"])
    let player = try team.operators.game.player("host")
    let code = try player.createRoom().code
    let room = try team.operators.game.roomID(code)
    let close = "\"act\":\"closeRoom\",\"room\":\"\(room)\""
    #expect(try yuna.ask(close).text("error") == "closeRoom needs a reason")
    #expect(try yuna.ask("\(close),\"reason\":\" \"").text("error") == "closeRoom needs a reason")
    #expect(try yuna.ask("\(close),\"reason\":\"a\\u001b[2J\"").text("error")?.contains("control character") == true)
    #expect(try yuna.ask("\(close),\"reason\":\"욕설\"")["ok"] as? Bool == true)
    let row = try #require(try yuna.watch("audit").rows("rows").first)
    #expect(row.text("operator") == "yuna" && row.text("reason") == "욕설" && row.text("code") == code)
    #expect(row.text("detail") == "1 in it" && row.text("address") == "127.0.0.1")
    let others = try team.admin.watch("audit").rows("rows").dropFirst()
    #expect(others.map { $0.text("operator") } == ["yuna", "token"])
    #expect(others.map { $0.text("action") } == ["setPassword", "addOperator"])
  }

  @Test("A removed token ends what uses it at once, and a new role holds at once")
  func removal() throws {
    let team = try TestTeam()
    let field = try team.token("bot", "moderator")
    let bot = try TestConsole(team.operators, field)
    _ = try team.admin.ask("\"act\":\"setRole\",\"name\":\"bot\",\"role\":\"viewer\"")
    #expect(try bot.awaitEnd() == 1008)
    let again = try TestConsole(team.operators, field)
    #expect(try again.received("hello").text("role") == "viewer")
    _ = try team.admin.ask("\"act\":\"removeOperator\",\"name\":\"bot\"")
    #expect(try again.awaitEnd() == 1008)
    #expect(try team.operators.get("/stats", field).status == 401)
    try team.restart()
    #expect(try team.operators.get("/stats", field).status == 401)
  }

  @Test("A machine's token begins no session from an address, and the server's own stays an admin's")
  func tokensInAddresses() throws {
    let team = try TestTeam()
    let field = try team.token("bot", "admin")
    let token = try #require(field.split(separator: " ").last)
    #expect(try team.operators.get("/?token=\(token)").status == 401)
    #expect(
      try team.operators.get("/stats", field).status == 401,
      "it has leaked into an address, and is remembered as wrong"
    )
    #expect(try team.operators.get("/?token=\(TestOperators.token)").status == 303)
    #expect(try team.admin.received("hello").text("operator") == "token")
  }

  @Test("Operators below admins leave places for consoles of admins")
  func places() throws {
    let team = try TestTeam()
    var consoles: [TestConsole] = []
    for name in ["a", "b", "c"] {
      let field = try team.token(name, "viewer")
      for _ in 0..<3 {
        if let console = try? TestConsole(team.operators, field) { consoles.append(console) }
      }
    }
    #expect(consoles.count == 5, "with the admin's own there are six")
    #expect(try TestConsole(team.operators).received("hello").text("role") == "admin")
  }
}
