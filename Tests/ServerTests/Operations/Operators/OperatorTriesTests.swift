// The tries of tokens at the operators' listener, and the addresses that they count against: behind proxies too.
import Foundation
import Net
import Server
import TestSupport
import Testing

@Suite struct OperatorTriesTests {
  private static let link = "/?token=\(TestOperators.token)"
  private static let ledHere = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"].joined(separator: "\r\n")

  private func status(_ operators: TestOperators, bearer token: String, _ field: String = "X: 1") throws -> Int {
    try operators.get("/stats", "Authorization: Bearer \(token)", field).status
  }

  @Test("A tool that claims to follow another page's link gets no additional guesses")
  func forgedBearers() throws {
    let operators = try TestOperators()
    for number in 0..<5 { #expect(try status(operators, bearer: "guess\(number)", Self.ledHere) == 401) }
    #expect(try status(operators, bearer: "guess5", Self.ledHere) == 429)
    #expect(try status(operators, bearer: TestOperators.token, Self.ledHere) == 429)
    #expect(try status(operators, bearer: TestOperators.token) == 429)
  }

  @Test(
    "Guesses by links of foreign pages are limited apart from those of the links' readers",
    arguments: ["cross-site", "same-site"]
  )
  func ledHere(site: String) throws {
    let operators = try TestOperators()
    let ledHere = "Sec-Fetch-Site: \(site)\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document"
    for number in 0..<5 { #expect(try operators.get("/?token=guess\(number)", ledHere).status == 401) }
    #expect(try operators.get("/?token=guess5", ledHere).status == 429)
    #expect(try operators.get(Self.link, ledHere).status == 429)
    #expect(try status(operators, bearer: TestOperators.token) == 200)
    #expect(try operators.get(Self.link).status == 303)
    for number in 6..<11 { #expect(try status(operators, bearer: "guess\(number)") == 401) }
    #expect(try status(operators, bearer: "guess11") == 429)
    operators.game.clock.advance(seconds: 12)
    #expect(try operators.get(Self.link, ledHere).status == 303)
  }

  @Test("A repeated wrong token is no new guess from any client: a tool with an old token blocks nobody")
  func staleTool() throws {
    let operators = try TestOperators()
    for _ in 0..<100 { #expect(try status(operators, bearer: "the token of yesterday") == 401) }
    #expect(try operators.get("/?token=the%20token").status == 401)
    #expect(try operators.get("/?token=the%20token", Self.ledHere).status == 401)
    #expect(try status(operators, bearer: TestOperators.token) == 200)
    for number in 0..<3 { #expect(try status(operators, bearer: "guess\(number)") == 401) }
    #expect(try status(operators, bearer: TestOperators.token) == 429)
    #expect(try status(operators, bearer: "the token of yesterday") == 401)
  }

  @Test("The newest 64 wrong tokens are remembered; an older one counts as new again")
  func forgetting() throws {
    let operators = try TestOperators()
    func awaitTry() { operators.game.clock.advance(seconds: 12) }
    #expect(try status(operators, bearer: "forgotten") == 401)
    #expect(try status(operators, bearer: "repeated") == 401)
    for number in 0..<63 {
      awaitTry()
      #expect(try status(operators, bearer: "guess\(number)") == 401)
      #expect(try status(operators, bearer: "repeated") == 401)
    }
    operators.game.clock.advance(seconds: 60)
    for number in 64..<68 { #expect(try status(operators, bearer: "guess\(number)") == 401) }
    #expect(try status(operators, bearer: "repeated") == 401)
    #expect(try status(operators, bearer: TestOperators.token) == 200)
    #expect(try status(operators, bearer: "forgotten") == 401)
    #expect(try status(operators, bearer: TestOperators.token) == 429)
  }

  // Behind proxies.

  private static let stranger = "203.0.113.9"
  private static let office = "198.51.100.7"

  private func listener(expectsProxyHeader: Bool = false) throws -> ListenerConfiguration {
    ListenerConfiguration(
      trustedProxies: TrustedProxies([try IPNetwork("127.0.0.1")]),
      expectsProxyHeader: expectsProxyHeader
    )
  }

  @Test("Behind a trusted proxy each client has own tries, and an own address in the audit log")
  func forwarded() throws {
    let operators = try TestOperators(listener: listener())
    let stranger = "X-Forwarded-For: \(Self.stranger)"
    let office = "X-Forwarded-For: \(Self.office)"
    for number in 0..<5 { #expect(try status(operators, bearer: "guess\(number)", stranger) == 401) }
    #expect(try status(operators, bearer: TestOperators.token, stranger) == 429)
    // A client's own prefix of the list is not trusted.
    #expect(try status(operators, bearer: TestOperators.token, "\(stranger)\r\n\(stranger)") == 429)
    #expect(try status(operators, bearer: TestOperators.token, "X-Forwarded-For: 192.0.2.1, \(Self.stranger)") == 429)
    #expect(try status(operators, bearer: TestOperators.token, office) == 200)
    #expect(try status(operators, bearer: TestOperators.token) == 200)
    let console = try TestConsole(operators, TestOperators.bearer, office)
    #expect(try console.ask("\"act\":\"announce\",\"text\":\"점검\"")["ok"] as? Bool == true)
    #expect(try operators.game.audit().map(\.address) == [Self.office])
  }

  @Test("A forwarding header of an untrusted peer is ignored")
  func untrusted() throws {
    let operators = try TestOperators()
    for number in 0..<5 {
      #expect(try status(operators, bearer: "guess\(number)", "X-Forwarded-For: 192.0.2.\(number)") == 401)
    }
    #expect(try status(operators, bearer: TestOperators.token, "X-Forwarded-For: \(Self.office)") == 429)
    let console = try TestConsole(operators, try cookieLater(operators), "X-Forwarded-For: \(Self.office)")
    #expect(try console.ask("\"act\":\"announce\",\"text\":\"점검\"")["ok"] as? Bool == true)
    #expect(try operators.game.audit().map(\.address) == ["127.0.0.1"])
  }

  private func cookieLater(_ operators: TestOperators) throws -> String {
    operators.game.clock.advance(seconds: 12)
    return try operators.cookie()
  }

  @Test("Behind the PROXY protocol its header names the client, and X-Forwarded-For is ignored")
  func proxyProtocol() throws {
    let operators = try TestOperators(listener: listener(expectsProxyHeader: true))
    func status(_ token: String, of client: String) throws -> Int {
      let request = [
        "PROXY TCP4 \(client) 192.0.2.2 50000 9100", "GET /stats HTTP/1.1", "Host: localhost", "Connection: close",
        "X-Forwarded-For: 192.0.2.77", "Authorization: Bearer \(token)", "", "",
      ]
      return try TestHTTP.send(request.joined(separator: "\r\n"), port: operators.port).status
    }
    for number in 0..<5 { #expect(try status("guess\(number)", of: Self.stranger) == 401) }
    #expect(try status(TestOperators.token, of: Self.stranger) == 429)
    #expect(try status(TestOperators.token, of: Self.office) == 200)
  }
}
