// Access to the operators' listener: nothing without the token, and only under its own names.
import Net
import Server
import TestSupport
import Testing

@Suite struct OperatorsTests {
  @Test("Health is public, and everything else needs the token; a refusal does not reveal what exists")
  func needsToken() throws {
    let operators = try TestOperators()
    #expect(try operators.get("/healthz").body == "ok\n")
    let refusals = try ["/", "/metrics", "/stats", "/nowhere", "/?token=", "/metrics?token=\(TestOperators.token)"].map
    {
      try operators.get($0)
    }
    #expect(refusals.allSatisfy { $0.status == 401 })
    #expect(Set(refusals.map(\.body)).count == 1)
    let upgrade = String(decoding: TestPlayer.upgradeRequest(path: "/"), as: UTF8.self)
    #expect(try TestHTTP.send(upgrade, port: operators.port).status == 401)
  }

  @Test("The token as a bearer token gives tools access to metrics and figures")
  func bearer() throws {
    let operators = try TestOperators()
    #expect(try operators.get("/metrics", TestOperators.bearer).status == 200)
    #expect(try operators.get("/stats", "authorization: bEARER  \(TestOperators.token)").status == 200)
    #expect(try operators.get("/", TestOperators.bearer).status == 200)
    #expect(try operators.get("/nowhere", TestOperators.bearer).status == 404)
    for wrong in ["Bearer", "Bearer x\(TestOperators.token)", "Basic \(TestOperators.token)", TestOperators.token] {
      #expect(try operators.get("/stats", "Authorization: \(wrong)").status == 401, "\(wrong)")
    }
  }

  @Test("The token in the address becomes an HttpOnly cookie, and is removed from the address")
  func exchange() throws {
    let operators = try TestOperators()
    let answer = try operators.get("/?token=\(TestOperators.token)")
    #expect(answer.status == 303)
    #expect(answer.head.contains("Location: /\r\n"))
    #expect(answer.head.contains("HttpOnly; SameSite=Strict; Path=/"))
    #expect(!answer.head.contains(TestOperators.token))
    let cookie = try operators.cookie()
    #expect(try operators.get("/stats", cookie).status == 200)
    #expect(try operators.get("/stats", "Cookie: theme=dark; \(cookie.dropFirst("Cookie: ".count))").status == 200)
    #expect(try operators.get("/stats", String(cookie.dropLast())).status == 401)
    #expect(try operators.get("/stats", "Cookie: madang_operator_\(operators.port)=").status == 401)
    // The name is that of this listener.
    let ofAnother = cookie.replacing("_\(operators.port)=", with: "_1=")
    #expect(try operators.get("/stats", ofAnother).status == 401)
    #expect(try TestOperators().get("/stats", cookie).status == 401)
  }

  @Test("A cookie lasts twelve hours")
  func expiry() throws {
    let operators = try TestOperators()
    let cookie = try operators.cookie()
    operators.game.clock.advance(seconds: 12 * 60 * 60 - 1)
    #expect(try operators.get("/stats", cookie).status == 200)
    operators.game.clock.advance(seconds: 1)
    #expect(try operators.get("/stats", cookie).status == 401)
  }

  @Test("After five wrong tokens no token of that address is checked for a while, not even the right one; cookies are")
  func throttle() throws {
    let operators = try TestOperators()
    let cookie = try operators.cookie()
    // A missing token is no guess, nor is a cookie of an earlier run.
    for _ in 0..<20 {
      #expect(try operators.get("/stats").status == 401)
      #expect(try operators.get("/stats", cookie + "0").status == 401)
    }
    for number in 0..<3 { #expect(try operators.get("/stats", "Authorization: Bearer guess\(number)").status == 401) }
    for number in 3..<5 { #expect(try operators.get("/?token=guess\(number)").status == 401) }
    #expect(try operators.get("/stats", "Authorization: Bearer guess5").status == 429)
    let refused = try operators.get("/stats", TestOperators.bearer)
    #expect(refused.status == 429)
    #expect(refused.head.contains("Retry-After: "))
    #expect(try operators.get("/?token=\(TestOperators.token)").status == 429)
    #expect(try operators.get("/stats", cookie).status == 200)
    operators.game.clock.advance(seconds: 12)
    #expect(try operators.get("/stats", TestOperators.bearer).status == 200)
  }

  @Test("Pages of other origins are refused whatever they send, and so are foreign host names")
  func foreigners() throws {
    let operators = try TestOperators()
    let cookie = try operators.cookie()
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost:\(operators.port)"] {
      #expect(try operators.get("/stats", cookie, "Origin: \(origin)").status == 403, "\(origin)")
      #expect(try operators.get("/stats", TestOperators.bearer, "Origin: \(origin)").status == 403, "\(origin)")
    }
    let own = "Origin: http://127.0.0.1:\(operators.port)"
    #expect(try operators.get("/stats", cookie, own).status == 200)
    for host in [
      "evil.example", "evil.example:\(operators.port)", "127.0.0.1.evil.example", "192.0.2.1", "localhost.evil",
      "[::1].evil",
    ] {
      #expect(try operators.get("/stats", host: host, TestOperators.bearer).status == 403, "\(host)")
      #expect(try operators.get("/?token=\(TestOperators.token)", host: host).status == 403, "\(host)")
    }
    // A tunnel's end has a port of its own.
    for host in ["localhost", "LOCALHOST:\(operators.port)", "127.0.0.1:1", "[::1]:1"] {
      #expect(try operators.get("/stats", host: host, TestOperators.bearer).status == 200, "\(host)")
    }
  }

  @Test("Embedded requests of foreign pages are refused and cost no tries; opened links are not refused")
  func embedded() throws {
    let operators = try TestOperators()
    for site in ["cross-site", "same-site"] {
      for (number, how) in ["no-cors", "navigate\r\nSec-Fetch-Dest: iframe"].enumerated() {
        for guess in 0..<5 {
          let path = "/?token=\(site)\(number)\(guess)"
          let answer = try operators.get(path, "Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: \(how)")
          #expect(answer.status == 403, "\(how)")
        }
      }
    }
    #expect(try operators.get("/stats", TestOperators.bearer).status == 200)
    let link = "/?token=\(TestOperators.token)"
    for opened in [
      ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"],
      ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate"], ["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"],
    ] {
      #expect(try operators.get(link, opened.joined(separator: "\r\n")).status == 303, "\(opened)")
    }
  }

  @Test("A client without the token keeps no connection")
  func keepsNoPlace() throws {
    let operators = try TestOperators()
    for path in ["/healthz", "/stats", "/?token=guess"] {
      let answer = try TestHTTP.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n", port: operators.port)
      #expect(answer.head.contains("Connection: close"), "\(path)")
    }
  }

  @Test("Behind a proxy with TLS the cookie is Secure")
  func secureCookie() throws {
    let plain = try TestOperators()
    #expect(try !plain.get("/?token=\(TestOperators.token)").head.contains("Secure"))
    let proxied = try TestOperators(origin: "https://ops.example.org")
    let answer = try proxied.get("/?token=\(TestOperators.token)", host: "ops.example.org")
    #expect(answer.head.contains("SameSite=Strict; Path=/; Secure"))
  }

  @Test("Behind a proxy the listener also has the proxy's name and its pages' origin")
  func behindProxy() throws {
    let operators = try TestOperators(origin: "https://ops.example.org")
    let origin = "Origin: https://ops.example.org"
    #expect(try operators.get("/stats", host: "ops.example.org", TestOperators.bearer, origin).status == 200)
    #expect(try operators.get("/stats", host: "ops.example.org:444", TestOperators.bearer).status == 403)
    #expect(try operators.get("/stats", host: "evil.example", TestOperators.bearer).status == 403)
    // Anybody on the path could have written the page of plain HTTP.
    for foreign in ["http://ops.example.org", "https://ops.example.org:8443", "http://ops.example.org:443"] {
      let answer = try operators.get("/stats", host: "ops.example.org", TestOperators.bearer, "Origin: \(foreign)")
      #expect(answer.status == 403, "\(foreign)")
    }
    let own = "Origin: http://localhost:\(operators.port)"
    #expect(try operators.get("/stats", host: "localhost:\(operators.port)", TestOperators.bearer, own).status == 200)
  }

  @Test("Only GET and HEAD are served")
  func methods() throws {
    let operators = try TestOperators()
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
      let request =
        "\(method) /stats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\(TestOperators.bearer)\r\n\r\n"
      #expect(try TestHTTP.send(request, port: operators.port).status == 405, "\(method)")
    }
    let head = "HEAD /stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(TestOperators.bearer)\r\n\r\n"
    let answer = try TestHTTP.send(head, port: operators.port)
    #expect(answer.status == 200)
    #expect(answer.body.isEmpty)
  }

  @Test("Every answer forbids caching, embedding and content sniffing")
  func headers() throws {
    let operators = try TestOperators()
    let answers = [
      try operators.get("/healthz"), try operators.get("/stats"), try operators.get("/stats", TestOperators.bearer),
      try operators.get("/metrics", TestOperators.bearer), try operators.get("/?token=\(TestOperators.token)"),
    ]
    for answer in answers {
      for line in [
        "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin",
      ] {
        #expect(answer.head.contains(line), "\(line)")
      }
    }
  }

  @Test("Requests on one connection are answered in order, slow ones too")
  func pipelined() throws {
    let operators = try TestOperators()
    func request(_ path: String, _ last: Bool = false) -> String {
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(TestOperators.bearer)\r\n\(last ? "Connection: close\r\n" : "")\r\n"
    }
    let all = request("/stats") + request("/nowhere") + request("/metrics") + request("/healthz", true)
    let answer = try TestHTTP.send(all, port: operators.port)
    let parts = answer.body.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false)
    #expect(answer.status == 200)
    #expect(parts.count == 4)
    #expect(parts[0].hasPrefix("{\"atMs\":"))
    #expect(parts[1].hasSuffix("not found\n"))
    #expect(parts[2].contains("madang_connections "))
    #expect(parts[3].hasSuffix("ok\n"))
  }

  @Test("A token that is guessable or not valid in an address is refused; each drawn token is different")
  func tokens() throws {
    for bad in ["", "short", "fifteen letters", "a token with blanks", "an-ampersand-&-in-it", "마당마당마당마당마당"] {
      #expect(throws: OperatorSettingFault.self) { try OperatorConfiguration(token: bad) }
    }
    let drawn = try (0..<2).map { _ in try OperatorConfiguration().token }
    #expect(drawn[0] != drawn[1])
    #expect(drawn[0].utf8.count == 64)
    #expect(throws: (any Error).self) { try OperatorConfiguration(origin: "*") }
    #expect(throws: (any Error).self) { try OperatorConfiguration(origin: "ops.example.org") }
  }

  @Test("The link has the listener's address, and the token that opens it")
  func link() throws {
    let operators = try TestOperators()
    #expect(operators.operators.link == "http://127.0.0.1:\(operators.port)/?token=\(TestOperators.token)")
  }

  @Test("A crowd on the game's listener cannot block an operator")
  func separateQuotas() throws {
    let operators = try TestOperators { $0.netLimits.connectionsMax = 1 }
    let player = try operators.game.player("the only one")
    #expect(try TestHTTP.get("/healthz", port: operators.game.port).status == 503)
    #expect(try operators.get("/stats", TestOperators.bearer).status == 200)
    withExtendedLifetime(player) {}
  }
}
