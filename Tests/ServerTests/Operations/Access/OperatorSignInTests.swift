// Operators come in by link, password and code: each refusal, over real sockets, and what an attacker may try.
import Game
import OperatorAccounts
import Server
import TestSupport
import Testing

@Suite struct OperatorSignInTests {
  @Test("A link sets a password once, and the password lets in")
  func link() throws {
    let team = try TestTeam()
    let link = try team.link("yuna", "moderator")
    let asked = try team.ask(link).object()
    #expect(asked.text("operator") == "yuna" && asked.text("role") == "moderator")
    #expect(asked.text("codePicture")?.hasPrefix("<svg") == true)
    for bad in ["short", "aaaaaaaaaaaaaaaa", String(repeating: "abcde", count: 26)] {
      let answer = try team.setPassword(link, bad)
      #expect(answer.status == 400 && answer.fault == "password")
    }
    let answer = try team.setPassword(link)
    #expect(answer.status == 200)
    #expect(answer.field("Set-Cookie")?.contains("HttpOnly; SameSite=Strict; Path=/") == true)
    #expect(try team.operators.get("/stats", TestTeam.cookie(of: answer)).status == 200)
    let again = try (team.setPassword(link, "another horse battery"), team.ask(link))
    #expect(again.0.status == 404 && again.1.status == 404 && again.0.fault == "link")
    #expect(try team.signIn("yuna", "another horse battery").status == 401)
    #expect(try team.signIn("Yuna").status == 200)
    let file = String(decoding: team.folder.read("madang.operators"), as: UTF8.self)
    #expect(file.contains("[operator yuna]") && file.contains("scrypt$") && !file.contains(link))
    #expect(!file.contains(TestTeam.password))
  }

  @Test("A link ends after 24 hours, by a newer one, and with its operator")
  func endsOfLinks() throws {
    let team = try TestTeam()
    let first = try team.link("yuna", "viewer")
    team.operators.game.clock.advance(seconds: 24 * 60 * 60)
    #expect(try team.ask(first).fault == "link")
    let reply = try TestConsole(team.operators).ask("\"act\":\"resetOperator\",\"name\":\"yuna\"")
    let second = try #require(reply.text("link")).suffix(64)
    #expect(try team.ask(String(second)).status == 200)
    #expect(try team.ask(first).fault == "link")
    _ = try TestConsole(team.operators).ask("\"act\":\"removeOperator\",\"name\":\"yuna\"")
    _ = try team.link("nari", "viewer")
    #expect(try team.setPassword(String(second)).fault == "link")
  }

  @Test("A wrong name, password and code get one answer, and an address has five tries a minute, right ones too")
  func bruteForce() throws {
    let team = try TestTeam()
    _ = try team.person("yuna", "admin")
    _ = try team.link("nobody-yet", "admin")
    let refused = try [
      team.signIn("yuna", "wrong horse battery"), team.signIn("stranger"), team.signIn("nobody-yet"),
      team.signIn("not a name"), team.signIn("yuna", ""),
    ]
    #expect(refused.allSatisfy { $0.status == 401 && $0.fault == "wrong" && $0.field("Set-Cookie") == nil })
    #expect(Set(refused.map(\.body)).count == 1 && Set(refused.map(\.head)).count == 1)
    let late = try team.signIn("yuna")
    #expect(late.status == 429 && late.fault == "tooOften" && late.field("Retry-After") != nil)
    // What operators have open does not wait.
    #expect(try team.operators.get("/stats", TestOperators.bearer).status == 200)
    team.operators.game.clock.advance(seconds: 12)
    #expect(try team.signIn("yuna").status == 200)
    #expect(try team.signIn("yuna").status == 429)
  }

  @Test("A one-time code is asked for once it is turned on, is good once, and few wrong ones are looked at")
  func codes() throws {
    let team = try TestTeam()
    let link = try team.link("yuna", "admin")
    #expect(try team.setPassword(link, code: "123456").fault == "code", "no secret was drawn")
    let old = try #require(try team.ask(link).object().text("codeSecret").flatMap { OneTimeCodes($0) })
    let codes = try #require(try team.ask(link).object().text("codeSecret").flatMap { OneTimeCodes($0) })
    #expect(try team.setPassword(link, code: team.code(old)).fault == "code", "the newest secret counts")
    let code = team.code(codes)
    #expect(try team.setPassword(link, code: code).status == 200)
    #expect(try team.signIn("yuna").fault == "wrong")
    #expect(try team.signIn("yuna", code: code).fault == "wrong", "a code is used by confirming it")
    let next = team.code(codes, later: 1)
    #expect(try team.signIn("yuna", code: next).status == 200)
    #expect(try team.signIn("yuna", code: next).fault == "wrong", "a code is replayed")
    try team.restart()
    #expect(try team.signIn("yuna", code: next).fault == "wrong", "a code is replayed after a restart")
    team.awaitTries()
    for _ in 0..<4 { #expect(try team.signIn("yuna", code: "000000").fault == "wrong") }
    team.awaitTries()
    #expect(try team.signIn("yuna", code: team.code(codes)).fault == "wrong", "its tries are used up")
    team.operators.game.clock.advance(seconds: 300)
    #expect(try team.signIn("yuna", code: team.code(codes)).status == 200)
  }

  @Test("Forms come from the listener's own page alone, in their own form")
  func foreignForms() throws {
    let team = try TestTeam()
    #expect(try team.signIn("yuna").status == 405, "without operators there is nothing to sign in to")
    _ = try team.person("yuna", "admin")
    let form = "{\"name\":\"yuna\",\"password\":\"\(TestTeam.password)\"}"
    let operators = team.operators
    for field in [
      "Origin: http://evil.example", "Origin: http://127.0.0.1:1", "Origin: null", "Sec-Fetch-Site: cross-site",
    ] {
      #expect(try operators.put("/console/sign-in", form, field).status == 403, "\(field)")
    }
    let other = "PUT /console/sign-in HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}"
    #expect(try TestHTTP.send(other, port: operators.port).status == 403)
    #expect(try operators.put("/console/sign-in", form, method: "PATCH").status == 405)
    #expect(try operators.put("/console/nothing", form).status == 405)
    #expect(try operators.put("/console/sign-in", "{\"name\":5}").status == 400)
    #expect(try operators.put("/console/sign-in", "name=yuna").fault == "form")
    #expect(try operators.put("/console/sign-in", String(repeating: " ", count: 4_097)).status == 413)
    let own = "Origin: http://127.0.0.1:\(operators.port)"
    #expect(try operators.put("/console/sign-in", form, own).status == 200)
  }

  @Test("A stranger gets the page of signing in and its files, and nothing else")
  func strangers() throws {
    let team = try TestTeam()
    #expect(try team.operators.get("/").body.hasPrefix("open the address"))
    #expect(try team.operators.get("/join").status == 401)
    _ = try team.link("yuna", "admin")
    let page = try team.operators.get("/")
    #expect(page.status == 401 && page.body.contains("sign-in.js") && page.field("Cache-Control") == "no-store")
    #expect(!page.body.contains("yuna"))
    #expect(try team.operators.get("/join").status == 200)
    let script = try #require(page.body.firstMatch(of: /\/web\/[0-9a-f]+\/sign-in\.js/))
    #expect(try team.operators.get(String(script.output)).status == 200)
    for path in ["/stats", "/metrics", "/console/feed", "/media/00/thumbnail", "/nowhere"] {
      #expect(try team.operators.get(path).status == 401, "\(path)")
    }
    #expect(try team.operators.get("/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors").status == 403)
  }
}
