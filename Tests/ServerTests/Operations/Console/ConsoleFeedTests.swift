// The console's feed itself: access, messages without a question, and the treatment of nonsense.
import MadangProtocol
import Net
import Server
import TestSupport
import Testing

@Suite struct ConsoleFeedTests {
  @Test("The feed is served with the token, under the listener's own names, and to no foreign page")
  func access() throws {
    let operators = try TestOperators()
    func status(host: String? = nil, _ fields: String...) throws -> Int {
      try TestHTTP.send(TestConsole.request(host: host, port: operators.port, fields), port: operators.port).status
    }
    let cookie = try operators.cookie()
    #expect(try status() == 401)
    #expect(try status("Authorization: Bearer wrong-token-of-tests") == 401)
    #expect(try status(TestOperators.bearer, "Origin: https://evil.example") == 403)
    #expect(try status(cookie, "Origin: http://localhost:1") == 403)
    #expect(try status(host: "evil.example", TestOperators.bearer) == 403)
    #expect(try status(cookie, "Sec-Fetch-Site: cross-site") == 403)
    let elsewhere = TestConsole.request(path: "/v1/play", port: operators.port, [TestOperators.bearer])
    #expect(try TestHTTP.send(elsewhere, port: operators.port).status == 404)
    let own = "Origin: http://127.0.0.1:\(operators.port)"
    #expect(
      try TestConsole(operators, cookie, own).received("hello").text("address") == "\(operators.game.server.address)"
    )
  }

  @Test("GET performs no act and opens no feed; other methods are refused")
  func nothingByGet() throws {
    let operators = try TestOperators()
    for path in ["/console/feed", "/console", "/console/kick?player=1", "/console/drain", "/console/games"] {
      #expect(try operators.get(path, TestOperators.bearer).status == 404, "\(path)")
    }
    for method in ["POST", "PUT", "DELETE"] {
      let fields = "Host: localhost\r\nContent-Length: 0\r\n\(TestOperators.bearer)"
      let request = "\(method) /console/feed HTTP/1.1\r\n\(fields)\r\n\r\n"
      #expect(try TestHTTP.send(request, port: operators.port).status == 405, "\(method)")
    }
    #expect(try operators.stats()["draining"] as? Bool == false)
  }

  @Test("The page is served with its assets when the token is shown, and may load nothing from elsewhere")
  func page() throws {
    let operators = try TestOperators()
    let page = try operators.get("/", TestOperators.bearer)
    #expect(page.field("Content-Type") == "text/html; charset=utf-8")
    #expect(page.field("Cache-Control") == "no-store")
    let policy = try #require(page.field("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
    #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
    #expect(!page.body.contains("{{"))
    let assets = page.body.matches(of: /"(\/web\/[0-9a-f]+\/[a-z.]+)"/).map { String($0.output.1) }
    #expect(!assets.isEmpty)
    for path in assets {
      #expect(try operators.get(path, TestOperators.bearer).status == 200, "\(path)")
      #expect(try operators.get(path).status == 401, "\(path)")
    }
    #expect(try operators.get("/web/0/style.css", TestOperators.bearer).status == 404)
    // The players' listener has no such page.
    #expect(try TestHTTP.get("/console.html", port: operators.game.port).status == 404)
    let bare = try TestOperators { $0.webRoot = nil }
    #expect(try bare.get("/", TestOperators.bearer).body.contains("/metrics"))
  }

  @Test("A new feed gets the server's origin, and twice a second the figures of /stats")
  func overview() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    let hello = try console.received("hello")
    #expect(hello.text("origin") == "ws://127.0.0.1:\(operators.game.port)")
    #expect(hello["draining"] as? Bool == false && hello.text("version") == GameServer.version)
    let player = try operators.game.player("player")
    _ = try player.createRoom()
    let overview = try console.received("overview") { $0.object("rooms").int("open") == 1 }
    let stats = try operators.stats("?rooms=0")
    #expect(Set(overview.keys) == Set(stats.keys), "an empty list of news is left out")
    #expect(overview.object("connections").int("players") == 1)
    #expect(overview.object("rooms")["busiest"] == nil)
    // Zeros are sent, not left out.
    #expect(
      overview.object("connections").int("behind") == 0 && overview.object("commits")["failing"] as? Bool == false
    )
    #expect(
      overview.object("messages").int("errors") == 0 && overview.object("commits")["journalLagSeconds"] as? Double == 0
    )
    let before = console.overviews
    for _ in 0..<4 { try console.step() }
    #expect((4...5).contains(console.overviews - before))
    withExtendedLifetime(player) {}
  }

  @Test("A new feed gets the last ten minutes, one overview for each ten seconds, even if no one was connected then")
  func history() throws {
    let operators = try TestOperators()
    let early = try TestConsole(operators)
    _ = try early.received("overview")
    #expect(!early.inbox.contains { $0["history"] != nil }, "there is no history yet")
    func pass(seconds: Int) throws {
      for _ in 0..<seconds / 5 {
        operators.game.clock.advance(milliseconds: 5_000)
        _ = try operators.stats("?rooms=0")
      }
    }
    try pass(seconds: 600)
    let player = try operators.game.player("player")
    _ = try player.createRoom()
    try pass(seconds: 25)
    let message = try TestConsole(operators).first { $0["history"] != nil }
    let looks = try #require(message["history"] as? [TestConsole.Object])
    #expect(looks.count == 60)
    let times = try looks.map { try #require($0.int("atMs")) }
    #expect(zip(times, times.dropFirst()).allSatisfy { (5_000...15_000).contains($1 - $0) })
    #expect((580_000...600_000).contains(times[59] - times[0]))
    #expect(looks[0].object("rooms").int("open") == 0)
    #expect(looks[59].object("rooms").int("open") == 1)
    #expect(Set(looks[0].keys) == Set(try operators.stats().keys).subtracting(["shards"]))
    withExtendedLifetime(player) {}
  }

  @Test("The feed has the latest log messages, each once, at most twenty")
  func news() throws {
    let news = RecentLogEntries()
    for number in 1...30 { news.add(atMs: Int64(number), level: "info", "news \(number)") }
    let operators = try TestOperators(logEntries: news)
    let console = try TestConsole(operators)
    let first = try console.received("overview").rows("news")
    #expect(first.map { $0.int("atMs") } == Array(11...30))
    #expect(try console.received("overview") { _ in true }.rows("news").isEmpty)
    news.add(atMs: 31, level: "error", "the disk is full \"again\"\n")
    let next = try console.received("overview") { !$0.rows("news").isEmpty }.rows("news")
    #expect(next.map { $0.text("text") } == ["the disk is full \"again\"\n"])
    #expect(next.first?.text("level") == "error")
    let other = try TestConsole(operators)
    #expect(try other.received("overview").rows("news").count == 20)
  }

  @Test("A server that shuts down says so in a newly opened feed")
  func draining() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("player")
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    operators.game.server.drain { _ in }
    #expect(try TestConsole(operators).received("hello")["draining"] as? Bool == true)
    withExtendedLifetime(player) {}
  }

  @Test("Long messages are compressed for clients that accept it")
  func compression() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators, TestOperators.bearer, compresses: true)
    #expect(console.compresses)
    #expect(try !console.received("overview").object("process").isEmpty)
    #expect(try !TestConsole(operators).compresses)
  }

  @Test("Eight feeds may be open, and a closed one frees its place")
  func tooMany() throws {
    let operators = try TestOperators()
    var consoles = try (0..<8).map { _ in try TestConsole(operators) }
    let request = TestConsole.request(port: operators.port, [TestOperators.bearer])
    #expect(try TestHTTP.send(request, port: operators.port).status == 503)
    #expect(try operators.get("/stats", TestOperators.bearer).status == 200)
    consoles.removeLast().socket.reset()
    var isIn = false
    for _ in 0..<10_000 where !isIn { isIn = (try? TestConsole(operators)) != nil }
    #expect(isIn)
    for console in consoles { #expect(try !console.received("overview").isEmpty) }
  }

  @Test("Invalid JSON, or an unknown message, closes the feed with a reason")
  func nonsense() throws {
    let operators = try TestOperators()
    let notJSON = [
      "", "{", "watch", "{\"watch\":\"rooms\"}}", "{\"a\":01}", "[1,]", "{\"watch\":\"\\ud800\"}",
    ]
    for text in notJSON {
      let console = try TestConsole(operators)
      try console.send(text)
      #expect(try console.awaitEnd() == 1007, "\(text)")
      #expect(console.closeReason.hasPrefix("not JSON"), "\(text)")
    }
    let noMessage = [
      "[]", "1", "null", "{}", "{\"watch\":7}", "{\"watch\":\"nothing\"}", "{\"watch\":\"rooms\",\"limit\":0}",
      "{\"watch\":\"rooms\",\"limit\":201}", "{\"watch\":\"rooms\",\"sort\":\"colour\"}",
      "{\"watch\":\"rooms\",\"mode\":\"chess\"}",
      "{\"watch\":\"rooms\",\"offset\":-1}", "{\"watch\":\"room\"}", "{\"watch\":\"room\",\"room\":\"x\"}",
      "{\"watch\":\"schools\",\"limit\":1.5}", "{\"watch\":\"audit\",\"before\":0}", "{\"act\":\"drain\"}",
      "{\"id\":0,\"act\":\"drain\"}", "{\"id\":2147483648,\"act\":\"drain\"}", "{\"id\":1.5,\"act\":\"drain\"}",
      "{\"id\":1,\"act\":7}", "{\"id\":1,\"nothing\":1}",
    ]
    for text in noMessage {
      let console = try TestConsole(operators)
      try console.send(text)
      #expect(try console.awaitEnd() == 1008, "\(text)")
    }
    let binary = try TestConsole(operators)
    try binary.socket.send(TestPlayer.frame(.binary, Array("{\"watch\":\"rooms\"}".utf8)))
    #expect(try binary.awaitEnd() == 1003)
    let long = try TestConsole(operators)
    try long.send("{\"watch\":\"rooms\",\"filter\":\"\(String(repeating: "x", count: 256 * 1_024))\"}")
    #expect(try long.awaitEnd() == 1009)
    #expect(try operators.stats()["draining"] as? Bool == false)
  }

  @Test("A failed request is answered under its number, and nothing else happens")
  func refusals() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    let player = String(repeating: "0", count: 32)
    let asked = [
      "\"act\":\"explode\"", "\"act\":\"kick\"", "\"act\":\"kick\",\"player\":\"me\"", "\"query\":\"all\"",
      "\"act\":\"ban\",\"player\":\"\(player)\",\"minutes\":0",
      "\"act\":\"mute\",\"player\":\"\(player)\",\"minutes\":1.5",
      "\"act\":\"ban\",\"player\":\"\(player)\",\"reason\":\"\(String(repeating: "x", count: 501))\"",
      "\"act\":\"closeRoom\",\"room\":7", "\"act\":\"announce\"", "\"query\":\"games\"",
    ]
    for members in asked {
      let reply = try console.ask(members)
      #expect(reply["ok"] as? Bool == false, "\(members)")
      #expect(reply.text("error")?.isEmpty == false, "\(members)")
      operators.game.clock.advance(milliseconds: 100)
    }
  }

  @Test("More than twenty messages a second close the feed")
  func flood() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    let view = "{\"watch\":\"schools\"}"
    for _ in 0..<19 { try console.send(view) }
    // The answer shows that all of them have been counted.
    _ = try console.ask("\"query\":\"all\"")
    operators.game.clock.advance(milliseconds: 50)
    #expect(try console.ask("\"query\":\"all\"")["ok"] as? Bool == false)
    try console.send(view)
    #expect(try console.awaitEnd() == 1008)
    #expect(console.closeReason.contains("20 messages a second"))
  }
}
