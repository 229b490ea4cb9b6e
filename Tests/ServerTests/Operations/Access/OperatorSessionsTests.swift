// Sessions of operators: listed, ended one by one and all at once, kept over a restart, and forged by nobody.
import Foundation
import Game
import OperatorAccounts
import Server
import TestSupport
import Testing

@Suite struct OperatorSessionsTests {
  /// The field of a cookie under the name of another listener.
  private func moved(_ cookie: String, to operators: TestOperators) -> String {
    cookie.replacing(/madang_operator_[0-9]+/, with: "madang_operator_\(operators.port)")
  }

  @Test("An admin sees all sessions, others their own; each ends theirs, and an admin any, with its consoles at once")
  func listAndEnd() throws {
    let team = try TestTeam()
    let operators = team.operators
    let (yuna, nari) = try (team.person("yuna", "viewer"), team.person("nari", "admin"))
    let second = try TestTeam.cookie(of: team.signIn("yuna"))
    let (viewer, admin) = try (TestConsole(operators, yuna), TestConsole(operators, nari))
    let own = try viewer.watch("operators")
    #expect(own.rows("operators").map { $0.text("name") } == ["yuna"])
    #expect(own.rows("sessions").count == 2 && own.rows("sessions").allSatisfy { $0["own"] as? Bool == true })
    let all = try admin.watch("operators")
    #expect(all.rows("operators").map { $0.text("name") } == ["nari", "yuna"])
    #expect(all.rows("sessions").map { $0.text("operator") } == ["yuna", "nari", "yuna"])
    let ofViewer = try #require(all.rows("sessions").last)
    #expect(ofViewer.int("consoles") == 1 && ofViewer.text("address") == "127.0.0.1")
    let mine = try #require(all.rows("sessions").first { $0["this"] as? Bool == true }?.text("session"))

    let foreign = "\"act\":\"endOwnSession\",\"session\":\"\(mine)\""
    #expect(try viewer.ask(foreign).text("error") == "there is no such session", "it is another's")
    #expect(try operators.get("/stats", nari).status == 200)
    let session = try #require(ofViewer.text("session"))
    #expect(try admin.ask("\"act\":\"endSession\",\"session\":\"\(session)\"")["ok"] as? Bool == true)
    #expect(try viewer.awaitEnd() == 1008)
    #expect(try operators.get("/stats", yuna).status == 401)
    #expect(try operators.get("/stats", second).status == 200)

    let other = try TestConsole(operators, second)
    #expect(try other.ask("\"act\":\"endOwnSession\"")["ok"] as? Bool == true, "the answer comes first")
    #expect(try other.awaitEnd() == 1008)
    #expect(try operators.get("/stats", second).status == 401)
    #expect(try operators.get("/stats", nari).status == 200)
    #expect(
      try operators.game.audit().last?.entry.operator == "nari",
      "one's own end is in the log of the server alone"
    )
  }

  @Test("A reset, a removal and a new password end sessions and consoles at once")
  func endsWithProof() throws {
    let team = try TestTeam()
    for act in ["resetOperator", "removeOperator"] {
      let cookie = try team.person("yuna", "moderator")
      let console = try TestConsole(team.operators, cookie)
      #expect(try team.admin.ask("\"act\":\"\(act)\",\"name\":\"yuna\"")["ok"] as? Bool == true)
      #expect(try console.awaitEnd() == 1008)
      #expect(try team.operators.get("/stats", cookie).status == 401)
      if act == "resetOperator" { _ = try team.admin.ask("\"act\":\"removeOperator\",\"name\":\"yuna\"") }
    }
    let again = try team.person("yuna", "moderator")
    #expect(try team.operators.get("/stats", again).status == 200)
  }

  @Test("Sessions outlive a restart, those of the token too if the token is the same; ended ones don't come back")
  func restart() throws {
    let team = try TestTeam()
    let (yuna, ended) = try (team.person("yuna", "viewer"), TestTeam.cookie(of: team.signIn("yuna")))
    let ofToken = try team.operators.cookie()
    let rows = try team.admin.watch("operators").rows("sessions")
    let last = try #require(rows.dropFirst().first?.text("session"))
    #expect(try team.admin.ask("\"act\":\"endSession\",\"session\":\"\(last)\"")["ok"] as? Bool == true)
    try team.restart()
    let operators = team.operators
    #expect(try operators.get("/stats", moved(yuna, to: operators)).status == 200)
    #expect(try operators.get("/stats", moved(ofToken, to: operators)).status == 200)
    #expect(try operators.get("/stats", moved(ended, to: operators)).status == 401)
    operators.game.clock.advance(seconds: 12 * 60 * 60)
    #expect(try operators.get("/stats", moved(yuna, to: operators)).status == 401)

    var configuration = try OperatorConfiguration(token: "another-token-now")
    configuration.folder = team.folder.path
    let renewed = try team.operators.cookie()
    let other = try OperatorServer(
      configuration,
      for: operators.game.server,
      on: .init(host: "127.0.0.1", port: 0),
      clock: operators.game.clock
    )
    defer { other.stop() }
    let cookie = renewed.replacing("\(operators.port)=", with: "\(other.address.port)=")
    #expect(try TestHTTP.get("/stats", port: other.address.port, fields: "\(cookie)\r\n").status == 401)
  }

  @Test("Forged cookies are none, and the file has no cookie")
  func forged() throws {
    let team = try TestTeam()
    let cookie = try team.person("yuna", "admin")
    let value = try #require(cookie.split(separator: "=").last)
    // Files are written in the order of changes, and an end is answered behind its own.
    _ = try team.person("nari", "viewer")
    #expect(try team.admin.ask("\"act\":\"endSession\",\"name\":\"nari\"")["ok"] as? Bool == true)
    let file = String(decoding: team.folder.read("madang.sessions"), as: UTF8.self)
    #expect(file.contains("operator = yuna") && !file.contains(value))
    let (id, digest) = try (
      #require(file.firstMatch(of: /\[session ([0-9a-f]+)\]/)), #require(file.firstMatch(of: /digest = ([0-9a-f]+)/))
    )
    let name = "madang_operator_\(team.operators.port)"
    for forged in [String(id.output.1), String(digest.output.1), "", "yuna", String(value.dropLast()), value + "0"] {
      #expect(try team.operators.get("/stats", "Cookie: \(name)=\(forged)").status == 401, "\(forged)")
    }
    #expect(try team.operators.get("/stats", cookie).status == 200)
  }

  @Test("A stolen cookie does what its role may until its owner ends it, and leaves the thief no other way in")
  func stolen() throws {
    let team = try TestTeam()
    let operators = team.operators
    let stolen = try team.person("yuna", "moderator")
    let owner = try TestConsole(operators, TestTeam.cookie(of: team.signIn("yuna")))
    let thief = try TestConsole(operators, stolen)
    // Neither another origin's page nor a bearer's field takes it.
    #expect(throws: (any Error).self) { try TestConsole(operators, stolen, "Origin: https://example.org") }
    let value = try #require(stolen.split(separator: "=").last)
    #expect(try operators.get("/stats", "Authorization: Bearer \(value)").status == 401)
    for act in [
      "\"act\":\"addOperator\",\"name\":\"minsu\",\"role\":\"viewer\"", "\"act\":\"resetOperator\",\"name\":\"yuna\"",
      "\"act\":\"addToken\",\"name\":\"bot\",\"role\":\"viewer\"",
    ] {
      #expect(try thief.ask(act).text("error") != nil, "\(act)")
    }
    // The owner sees two sessions, one with the thief's console.
    let sessions = try owner.watch("operators").rows("sessions")
    #expect(sessions.count == 2)
    let other = try #require(sessions.first { $0["this"] as? Bool != true })
    #expect(other.int("consoles") == 1)
    let session = try #require(other.text("session"))
    #expect(try owner.ask("\"act\":\"endOwnSession\",\"session\":\"\(session)\"")["ok"] as? Bool == true)
    #expect(try thief.awaitEnd() == 1008)
    #expect(try operators.get("/stats", stolen).status == 401)
    #expect(throws: (any Error).self) { try TestConsole(operators, stolen) }
    #expect(try owner.watch("operators").rows("sessions").count == 1)
  }

  @Test("An operator has eight sessions at most; one more ends the oldest")
  func bound() throws {
    let team = try TestTeam()
    let first = try team.person("yuna", "viewer")
    for number in 0..<7 {
      if number % 4 == 0 { team.awaitTries() }
      #expect(try team.signIn("yuna").status == 200)
    }
    let console = try TestConsole(team.operators, first)
    #expect(try team.signIn("yuna").status == 200)
    #expect(try console.awaitEnd() == 1008)
    #expect(try team.operators.get("/stats", first).status == 401)
    #expect(try TestConsole(team.operators).watch("operators").rows("sessions").count == 8)
  }
}
