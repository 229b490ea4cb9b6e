// The HTTP API over real sockets: proofs, roles, routes, and requests that are none.
import Foundation
import Game
import OperatorAccounts
import Server
import TestSupport
import Testing

@Suite struct OperatorAPITests {
  private static let digits = String(repeating: "0a", count: 16)

  /// A call of a path of the description, with something in place of each part in braces.
  private struct Operation {
    let method: String
    let path: String
    let members: [String: Any]

    var name: String { members.text("operationId") ?? "" }
    var leastRole: OperatorRole? { members.text("x-least-role").flatMap(OperatorRole.init) }
    var act: String? {
      let parts = (members.text("description") ?? "").split(separator: "`")
      return parts.count > 1 ? String(parts[1]) : nil
    }
  }

  private func operations(_ operators: TestOperators) throws -> [Operation] {
    let document = try operators.ask("GET", "/v1/openapi.json").object()
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    let values = ["{season}": "1", "{name}": "nobody", "{session}": "0a0a0a0a0a0a0a0a", "{kind}": "post"]
    return paths.flatMap { path, methods in
      let parts = path.split(separator: "/").map { part in
        part.hasPrefix("{")
          ? values[String(part)] ?? (part == "{game}" ? "\(Self.digits)-1" : Self.digits) : String(part)
      }
      return methods.map { Operation(method: $0.uppercased(), path: "/" + parts.joined(separator: "/"), members: $1) }
    }
  }

  @Test("The description has one operation for each act of a machine's, by its name, and its least role")
  func table() throws {
    let operations = try operations(TestOperators())
    #expect(Set(operations.map(\.name)).count == operations.count)
    for act in OperatorAct.allCases where act != .endOwnSession {
      let found = operations.filter { $0.act == act.rawValue }
      #expect(found.contains { $0.name == act.rawValue }, "\(act)")
      #expect(found.allSatisfy { $0.leastRole == act.leastRole && $0.method != "GET" }, "\(act)")
      #expect(found.count == (act == .endSession ? 2 : 1), "\(act)")
    }
    #expect(!operations.contains { $0.act == OperatorAct.endOwnSession.rawValue })
  }

  @Test("Only a token opens the API: no cookie, no token in an address, and nothing for a foreign page")
  func proofs() throws {
    let operators = try TestOperators()
    let cookie = try operators.cookie()
    for (method, path) in [("GET", "/v1/server"), ("POST", "/v1/drain"), ("DELETE", "/v1/rooms/\(Self.digits)")] {
      for fields in ["X-None: 1", cookie, "Authorization: Basic \(TestOperators.token)"] {
        let refused = try operators.ask(method, path, by: fields)
        #expect(refused.status == 401, "\(method) \(path) \(fields)")
        #expect(refused.field("Content-Type") == "application/problem+json")
        #expect(refused.field("WWW-Authenticate") == "Bearer")
        #expect(try refused.object().text("code") == "UNAUTHORIZED")
      }
      #expect(try operators.ask(method, "\(path)?token=\(TestOperators.token)", by: "X-None: 1").status == 401)
      let foreign = try operators.ask(method, path, by: TestOperators.bearer, "Origin: https://evil.example")
      #expect(foreign.status == 403)
      #expect(try foreign.object().text("code") == "NOT_FROM_HERE")
    }
    #expect(!operators.game.server.isDraining)
    #expect(try operators.ask("GET", "/v1/server").object().text("operator") == "token")
    // A cookie beside a token neither helps nor harms.
    #expect(try operators.ask("GET", "/v1/server", by: "Authorization: Bearer wrong-token-0000", cookie).status == 401)
    #expect(try operators.game.audit().isEmpty)
  }

  @Test("Wrong tokens of an address are counted for the API as for the console")
  func wrongTokens() throws {
    let operators = try TestOperators(netLimits: nil)
    for number in 0..<5 {
      #expect(try operators.ask("GET", "/v1/server", by: "Authorization: Bearer wrong-\(number)").status == 401)
    }
    let waiting = try operators.ask("GET", "/v1/server", by: "Authorization: Bearer wrong-5")
    #expect(waiting.status == 429)
    #expect(waiting.field("Retry-After") != nil)
    #expect(try waiting.object().text("code") == "TOO_MANY_WRONG_TOKENS")
  }

  @Test("Whoever is below an operation's least role is refused it by its name, and nothing is written")
  func roles() throws {
    let team = try TestTeam()
    let tokens = [
      (try team.token("grafana", "viewer"), OperatorRole.viewer),
      (try team.token("bot", "moderator"), OperatorRole.moderator),
    ]
    let before = try team.operators.game.audit().count
    for operation in try operations(team.operators) {
      let leastRole = try #require(operation.leastRole, "\(operation.name)")
      for (token, role) in tokens where role < leastRole {
        let body = operation.method == "DELETE" ? nil : "{}"
        let refused = try team.operators.ask(operation.method, operation.path, body, by: token, "Idempotency-Key: a")
        #expect(refused.status == 403, "\(operation.name)")
        #expect(try refused.object().text("code") == "ROLE_TOO_LOW", "\(operation.name)")
      }
      if operation.method == "GET" {
        // A search needs a text.
        let path = operation.name == "players" ? operation.path + "?text=guest" : operation.path
        let status = try team.operators.ask("GET", path, by: tokens[0].0).status
        #expect([200, 404].contains(status), "\(operation.name)")
      }
      // A token has so many requests in a minute.
      team.operators.game.clock.advance(seconds: 1)
    }
    #expect(try team.operators.game.audit().count == before)
    #expect(!team.operators.game.server.isDraining)
  }

  @Test(
    "An act by the API is the console's: done, committed, and in the audit log with the token's name and the reason"
  )
  func acts() throws {
    let team = try TestTeam()
    let bot = try team.token("bot", "moderator")
    let player = try TestPlayer(port: team.operators.game.port)
    let id = try player.helloID("가람")
    let ban = try team.operators.ask("PUT", "/v1/players/\(id)/ban", "{\"minutes\":60,\"reason\":\"rude\"}", by: bot)
    #expect(ban.status == 200, "\(ban.body)")
    #expect(try ban.object().text("text") == "player \(id) is banned")
    #expect(try team.operators.game.sanctions().map(\.player) == [id])
    let listed = try team.operators.ask("GET", "/v1/sanctions", by: bot).object()
    #expect((listed["rows"] as? [[String: Any]])?.first?.text("player") == "\(id)")
    let unban = try team.operators.ask("DELETE", "/v1/players/\(id)/ban?reason=a%20mistake", by: bot)
    #expect(unban.status == 200, "\(unban.body)")
    let again = try team.operators.ask("DELETE", "/v1/players/\(id)/ban", by: bot)
    #expect(again.status == 404)
    #expect(try again.object().text("code") == "SANCTION_NOT_FOUND")
    let rows = try team.operators.game.audit().dropFirst()
    #expect(rows.map(\.action) == ["ban", "unban"])
    #expect(rows.map(\.entry.operator) == ["bot", "bot"])
    #expect(rows.map(\.entry.reason) == ["rude", "a mistake"])
  }

  @Test("An access is managed by the API too, and a removed token is good no more")
  func access() throws {
    let team = try TestTeam()
    let added = try team.operators.ask("POST", "/v1/tokens", "{\"name\":\"bot\",\"role\":\"viewer\"}").object()
    let bot = "Authorization: Bearer \(try #require(added.text("token")))"
    #expect(try team.operators.ask("GET", "/v1/server", by: bot).object().text("role") == "viewer")
    #expect(try team.operators.ask("PUT", "/v1/operators/bot/role", "{\"role\":\"moderator\"}").status == 200)
    #expect(try team.operators.ask("GET", "/v1/server", by: bot).object().text("role") == "moderator")
    let taken = try team.operators.ask("POST", "/v1/tokens", "{\"name\":\"bot\",\"role\":\"viewer\"}")
    #expect(taken.status == 409)
    #expect(try team.operators.ask("DELETE", "/v1/operators/bot").status == 200)
    #expect(try team.operators.ask("GET", "/v1/server", by: bot).status == 401)
    #expect(try team.operators.ask("DELETE", "/v1/operators/bot").status == 404)
  }

  private static let unsound: [(String, String, String, Int, String)] = [
    ("PUT", "/v1/players/\(digits)/ban", "{\"minuts\":60}", 400, "INVALID"),
    ("PUT", "/v1/players/\(digits)/ban", "{\"player\":\"\(digits)\"}", 400, "INVALID"),
    ("PUT", "/v1/players/\(digits)/ban", "{\"minutes\":0}", 400, "INVALID"),
    ("PUT", "/v1/players/\(digits)/ban", "{\"minutes\":\"soon\"}", 400, "INVALID"),
    ("PUT", "/v1/players/\(digits)/ban", "[]", 400, "INVALID"),
    ("PUT", "/v1/players/\(digits)/ban", "{", 400, "INVALID"),
    ("PUT", "/v1/players/\(digits)/ban?minutes=1", "{}", 400, "INVALID"),
    ("PUT", "/v1/players/nobody/ban", "{}", 400, "INVALID"),
    ("PUT", "/v1/players/%zz/ban", "{}", 404, "NOT_FOUND"),
    ("PUT", "/v1/players/\(digits)/ban", "{}", 404, "PLAYER_NOT_FOUND"),
    ("POST", "/v1/players/\(digits)/ban", "{}", 405, "METHOD_NOT_ALLOWED"),
    ("POST", "/v1/announcements", "{}", 400, "INVALID"),
    ("POST", "/v1/announcements", "{\"text\":\"\"}", 400, "INVALID"),
    ("POST", "/v1/fences", "{\"fences\":[{\"fenceID\":\"\(digits)\"}]}", 400, "INVALID"),
    (
      "POST", "/v1/fences",
      "{\"fences\":[{\"fenceId\":\"\(digits)\",\"name\":\"a\",\"latE7\":0,\"lngE7\":0,\"radiusMm\":1}]}", 422,
      "FENCE_RADIUS_OUT_OF_RANGE"
    ),
    ("POST", "/v1/seasons/2/close", "{}", 409, "SEASON_NOT_RUNNING"),
    ("POST", "/v1/seasons/two/close", "{}", 400, "INVALID"),
    ("GET", "/v1/rooms?filtr=a", "", 400, "INVALID"),
    ("GET", "/v1/rooms?limit=1&limit=2", "", 400, "INVALID"),
    ("GET", "/v1/rooms?after=x", "", 400, "INVALID"),
    ("GET", "/v1/rooms?descending=yes", "", 400, "INVALID"),
    ("GET", "/v1/rooms/\(digits)", "", 404, "ROOM_NOT_FOUND"),
    ("GET", "/v1/games/\(digits)-1", "", 404, "GAME_NOT_FOUND"),
    ("GET", "/v1/games/\(digits)-1/track", "", 404, "NOT_FOUND"),
    ("GET", "/v1/nothing", "", 404, "NOT_FOUND"),
    ("DELETE", "/v1/server", "", 405, "METHOD_NOT_ALLOWED"),
  ]

  @Test("A request that is none is a problem by its name, and nothing is done", arguments: OperatorAPITests.unsound)
  func faults(method: String, path: String, body: String, status: Int, code: String) throws {
    let operators = try TestOperators()
    let answer = try operators.ask(method, path, body.isEmpty ? nil : body)
    #expect(answer.status == status, "\(answer.body)")
    let problem = try answer.object()
    #expect(problem.text("code") == code && problem["status"] as? Int == status, "\(answer.body)")
    #expect(answer.field("Content-Type") == "application/problem+json")
    #expect(try operators.game.audit().isEmpty)
  }

  @Test("A body is JSON by its type, and bounded; DELETE reaches nothing else")
  func bodies() throws {
    let operators = try TestOperators()
    let path = "/v1/announcements"
    let form = try operators.put(path, "text=a", method: "POST", TestOperators.bearer)
    #expect(form.status == 415)
    let plain = try operators.put(
      path,
      "{\"text\":\"a\"}",
      method: "POST",
      TestOperators.bearer,
      "Content-Type: text/plain"
    )
    #expect(plain.status == 415)
    let charset = "Content-Type: application/json; charset=utf-8"
    #expect(try operators.put(path, "{\"text\":\"a\"}", method: "POST", TestOperators.bearer, charset).status == 200)
    let long = try operators.ask("POST", path, "{\"text\":\"\(String(repeating: "a", count: 256 * 1_024))\"}")
    #expect(long.status == 413)
    #expect(try operators.game.audit().count == 1)
    #expect(try operators.ask("DELETE", "/stats").status == 405)
    #expect(try operators.ask("DELETE", "/").status == 405)
  }

  @Test("A token has so many requests in a minute")
  func rate() throws {
    let team = try TestTeam()
    let (one, other) = (try team.token("one", "viewer"), try team.token("other", "viewer"))
    for _ in 0..<600 { #expect(try team.operators.ask("GET", "/v1/server", by: one).status == 200) }
    let refused = try team.operators.ask("GET", "/v1/server", by: one)
    #expect(refused.status == 429 && refused.field("Retry-After") == "1")
    #expect(try team.operators.ask("GET", "/v1/server", by: other).status == 200)
    team.operators.game.clock.advance(milliseconds: 100)
    #expect(try team.operators.ask("GET", "/v1/server", by: one).status == 200)
  }

  @Test("Pages of rooms and connections go on behind the last row, whatever the order, and have each row once")
  func pages() throws {
    let operators = try TestOperators()
    let players = try (0..<7).map { number in
      let player = try operators.game.player("player \(number)")
      _ = try player.createRoom()
      return player
    }
    func all(_ path: String, _ name: String) throws -> [String] {
      var (rows, next) = ([String](), "")
      repeat {
        let page = try operators.ask("GET", "/v1/\(path)&limit=3\(next.isEmpty ? "" : "&after=\(next)")").object()
        let found = try #require(page["rows"] as? [[String: Any]])
        rows += found.compactMap { $0.text(name) }
        next = page.text("next") ?? ""
        #expect(next.isEmpty || found.count == 3)
      } while !next.isEmpty
      return rows
    }
    for path in ["rooms?sort=code", "rooms?sort=players&descending=true", "rooms?sort=shard"] {
      let rooms = try all(path, "id")
      #expect(rooms.count == 7 && Set(rooms).count == 7, "\(path)")
    }
    for path in ["connections?sort=nickname", "connections?sort=address&descending=true", "connections?sort=room"] {
      let connections = try all(path, "player")
      #expect(connections.count == 7 && Set(connections).count == 7, "\(path)")
    }
    withExtendedLifetime(players) {}
  }
}
