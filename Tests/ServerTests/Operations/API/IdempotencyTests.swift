// Repeats of the API's acts by their keys: done once, answered again, and nobody else's.
import Foundation
import Game
import Server
import TestSupport
import Testing

@Suite struct IdempotencyTests {
  private static let path = "/v1/announcements"

  private func announce(
    _ operators: TestOperators,
    _ text: String,
    key: String,
    by token: String = TestOperators.bearer
  ) throws -> TestHTTP {
    try operators.ask("POST", Self.path, "{\"text\":\"\(text)\"}", by: token, "Idempotency-Key: \(key)")
  }

  @Test("A repeat gets the first answer again, and nothing is done twice; the key is good for a day")
  func repeats() throws {
    let operators = try TestOperators()
    let first = try announce(operators, "hello", key: "\"8e03978e\"")
    #expect(first.status == 200 && first.field("Idempotency-Replayed") == nil)
    operators.game.clock.advance(seconds: 24 * 60 * 60 - 1)
    let second = try announce(operators, "hello", key: "8e03978e")
    #expect(second.status == 200 && second.body == first.body)
    #expect(second.field("Idempotency-Replayed") == "true")
    #expect(try operators.game.audit().count == 1)
    operators.game.clock.advance(seconds: 1)
    let later = try announce(operators, "hello", key: "8e03978e")
    #expect(later.status == 200 && later.field("Idempotency-Replayed") == nil)
    #expect(try operators.game.audit().count == 2)
  }

  @Test("A key with another body, address or method is refused, and so is a key that is none")
  func others() throws {
    let operators = try TestOperators()
    #expect(try announce(operators, "hello", key: "k").status == 200)
    let body = try announce(operators, "bye", key: "k")
    #expect(body.status == 422)
    #expect(try body.object().text("code") == "KEY_REUSED")
    let path = try operators.ask("POST", "/v1/webhooks", "{\"text\":\"hello\"}", "Idempotency-Key: k")
    #expect(path.status == 400)
    #expect(try operators.ask("DELETE", "/v1/operators/a", nil, "Idempotency-Key: k").status == 422)
    for key in ["", "\"\"", "a b", "\"a\"b\"", "a\\b", "é", String(repeating: "k", count: 129)] {
      #expect(try announce(operators, "hello", key: key).status == 400, "\(key)")
    }
    let twice = try operators.ask(
      "POST",
      Self.path,
      "{\"text\":\"hello\"}",
      "Idempotency-Key: a",
      "Idempotency-Key: a"
    )
    #expect(twice.status == 400)
    #expect(try operators.game.audit().count == 1)
  }

  @Test("A token's key is its own: another token with the same key gets no answer of the first")
  func forged() throws {
    let team = try TestTeam()
    let bot = try team.token("bot", "admin")
    let secret = try team.operators.ask(
      "POST",
      "/v1/tokens",
      "{\"name\":\"next\",\"role\":\"admin\"}",
      by: bot,
      "Idempotency-Key: k"
    )
    #expect(try secret.object().text("token") != nil)
    let viewer = try team.token("grafana", "viewer")
    let forged = try team.operators.ask(
      "POST",
      "/v1/tokens",
      "{\"name\":\"next\",\"role\":\"admin\"}",
      by: viewer,
      "Idempotency-Key: k"
    )
    #expect(forged.status == 403)
    // A token of the same name that comes later has another secret.
    #expect(try team.operators.ask("DELETE", "/v1/operators/bot").status == 200)
    let heir = try team.operators.ask(
      "POST",
      "/v1/tokens",
      "{\"name\":\"next\",\"role\":\"admin\"}",
      by: try team.token("bot", "admin"),
      "Idempotency-Key: k"
    )
    #expect(heir.status == 409)
    #expect(try heir.object().text("token") == nil)
  }

  @Test("A repeat while the first is under way is refused; a refusal by the rules is kept")
  func underWay() throws {
    let operators = try TestOperators(shards: 1)
    let first = try TestSocket(port: operators.port)
    func send(_ line: String, _ fields: [String], _ body: String = "") throws {
      let head = [line, "Host: 127.0.0.1:\(operators.port)", TestOperators.bearer] + fields
      try first.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }
    // The listener knows this connection, so it reads its next request before those of later connections.
    try send("GET /v1/server HTTP/1.1", [])
    while try !String(decoding: first.receive(), as: UTF8.self).hasSuffix("}") {}
    let pause = ShardPause(operators.game.server.shards[0])
    let body = "{\"text\":\"hello\"}"
    let fields = [
      "Connection: close", "Content-Type: application/json", "Content-Length: \(body.utf8.count)", "Idempotency-Key: k",
    ]
    try send("POST \(Self.path) HTTP/1.1", fields, body)
    let repeated = try announce(operators, "hello", key: "k")
    #expect(repeated.status == 409)
    #expect(try repeated.object().text("code") == "KEY_IN_USE")
    #expect(try announce(operators, "other", key: "k").status == 422)
    pause.end()
    let answer = String(decoding: try first.receiveToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 200"))
    #expect(try announce(operators, "hello", key: "k").status == 200)
    #expect(try operators.game.audit().count == 1)

    let digits = String(repeating: "0", count: 32)
    for number in 0..<2 {
      let refused = try operators.ask("POST", "/v1/players/\(digits)/kick", "{}", "Idempotency-Key: other")
      #expect(refused.status == 404)
      #expect(refused.field("Idempotency-Replayed") == (number == 0 ? nil : "true"))
    }
  }
}
