// Invitations: what a room's link shows before anybody comes in, and pages for addresses that lead nowhere.
import MadangProtocol
import TestSupport
import Testing

@Suite("Invitations", .timeLimit(.minutes(10)))
struct InvitationTests {
  private func symbols(_ room: WireRoom) -> String { room.code.filter { $0 != "-" } }

  @Test("A room's look has its game, players and phase, without identifiers, from whichever shard it is on")
  func look() throws {
    let server = try TestServer(shards: 3)
    for number in 0..<6 {
      let host = try server.player("host\(number)")
      let room = try host.createRoom {
        $0.mode = .territory
        $0.capacity = 4
      }
      let guest = try server.player("guest")
      _ = try guest.joinRoom(room.code)
      let answer = try TestHTTP.get("/r/\(symbols(room))", port: server.port)
      #expect(answer.status == 200)
      #expect(answer.field("Content-Type") == "application/json" && answer.field("Cache-Control") == "no-store")
      let look = answer.body
      for part in [
        "\"mode\":\"TERRITORY\"", "\"phase\":\"LOBBY\"", "\"capacity\":4", "\"host\":0", "\"host\(number)\"",
        "\"guest\"", "\"spectators\":true", room.code,
      ] {
        #expect(look.contains(part), "\(part) in \(look)")
      }
      #expect(!look.contains("playerId") && !look.contains("latE7"))
      try host.expectOk(.startGame(WireStartGame()))
      let running = try TestHTTP.get("/r/\(room.code.lowercased())", port: server.port).body
      #expect(running.contains("\"phase\":\"PLAYING\"") && running.contains("\"endsAtGameMs\":"))
    }
  }

  @Test("Only the code leads to a look: wrong ones are counted, and other sites' pages get none")
  func guarded() throws {
    let server = try TestServer()
    let room = try server.player("host").createRoom()
    let foreign = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n"
    #expect(try TestHTTP.get("/r/\(symbols(room))", port: server.port, fields: foreign).status == 403)
    for path in ["/r", "/r/", "/r/nonsense", "/r/\(symbols(room))/x"] {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
    for number in 0..<200 {
      #expect(try TestHTTP.get("/r/\(RoomCode(drawing: UInt64(number)))", port: server.port).status == 404)
    }
    #expect(try TestHTTP.get("/r/\(symbols(room))", port: server.port).status == 429)
    // The pages of all codes are the same by now.
    let page = try TestHTTP.get("/j/\(symbols(room))", port: server.port)
    #expect(page.status == 200 && !page.body.contains("players are in"))
  }

  @Test("The names of a large room are bounded; the host has one")
  func manyPlayers() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom { $0.capacity = 40 }
    var guests: [TestPlayer] = []
    for number in 0..<30 {
      guests.append(try server.player("guest\(number)"))
      _ = try guests[number].joinRoom(room.code)
    }
    let look = try TestHTTP.get("/r/\(symbols(room))", port: server.port).body
    #expect(look.matches(of: /"nickname"/).count == 24)
    #expect(look.matches(of: /"seat"/).count == 31)
    #expect(look.contains("\"host\""))
  }

  @Test("A link's preview is of its room, with addresses by the request's own host, and hostile hosts stay text")
  func preview() throws {
    let server = try TestServer()
    let host = try server.player("Sua")
    let room = try host.createRoom { $0.capacity = 8 }
    func page(_ host: String) throws -> String {
      let request = "GET /j/\(symbols(room)) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
      return try TestHTTP.send(request, port: server.port).body
    }
    let lobby = try page("play.example.org")
    #expect(lobby.contains("<meta property=\"og:title\" content=\"발자국 Footprints · 마당 Madang\">"))
    #expect(lobby.contains("1 of 8 players are in. Tap to join."))
    #expect(lobby.contains("content=\"http://play.example.org/j/\(symbols(room))\""))
    #expect(lobby.contains("content=\"http://play.example.org/qr/\(symbols(room)).png\""))
    #expect(!lobby.contains("Sua") && !lobby.contains("{{"))
    #expect(try page("192.168.0.10:8080").contains("http://192.168.0.10:8080/qr/"))
    #expect(try !page("a\"><script>").contains("a\"><script>"))
    let guest = try server.player("guest")
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    #expect(try page("play.example.org").contains("2 are playing. Tap to watch, and play next."))
  }

  @Test("A preview asks nobody to watch or join where there is no place")
  func placesInPreviews() throws {
    let server = try TestServer()
    for takesSpectators in [true, false] {
      let host = try server.player("host")
      let room = try host.createRoom {
        $0.capacity = 2
        $0.spectators = takesSpectators
      }
      func page() throws -> String { try TestHTTP.get("/j/\(symbols(room))", port: server.port).body }
      #expect(try page().contains("1 of 2 players are in. Tap to join."))
      _ = try server.player("guest").joinRoom(room.code)
      #expect(try page().contains(takesSpectators ? "Tap to watch." : "There is no free seat."))
      try host.expectOk(.startGame(WireStartGame()))
      #expect(try page().contains(takesSpectators ? "Tap to watch, and play next." : "Join the next game."))
    }
  }

  @Test("A preview promises no place where the host is asked first, in the lobby and beside a game")
  func consentInPreviews() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom {
      $0.capacity = 4
      $0.fill = 1
      $0.consent = true
    }
    func page() throws -> String { try TestHTTP.get("/j/\(symbols(room))", port: server.port).body }
    #expect(try page().contains("You come in when the host lets you in.") && !page().contains("Tap to"))
    try host.expectOk(.startGame(WireStartGame()))
    #expect(try page().contains("You come in when the host lets you in.") && !page().contains("Tap to"))
  }

  @Test("Practice opponents are counted before any tap: those who will join, and those who play")
  func walkers() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom {
      $0.capacity = 3
      $0.fill = 4
      $0.fillStrength = .hard
    }
    func look() throws -> String { try TestHTTP.get("/r/\(symbols(room))", port: server.port).body }
    func page() throws -> String { try TestHTTP.get("/j/\(symbols(room))", port: server.port).body }
    #expect(try look().contains("\"fill\":4,\"fillStrength\":\"HARD\""))
    #expect(try !look().contains("\"walker\""))
    #expect(try page().contains("1 of 3 players are in, with 2 practice opponents. Tap to join."))
    let guest = try server.player("guest")
    _ = try guest.joinRoom(room.code)
    #expect(try page().contains("2/3명이 연습 상대 1명과 모였어요."))
    try host.expectOk(.startGame(WireStartGame()))
    #expect(try look().matches(of: /"walker":true/).count == 1)
    #expect(try !look().contains("playerId"))
    #expect(try page().contains("2 are playing, with 1 practice opponent. Tap to watch"))
    // Without them nothing is said.
    let alone = try server.player("alone").createRoom()
    let bare = try TestHTTP.get("/j/\(symbols(alone))", port: server.port).body
    #expect(bare.contains("players are in. Tap to join.") && !bare.contains("practice opponent"))
    #expect(try !TestHTTP.get("/r/\(symbols(alone))", port: server.port).body.contains("fill"))
  }

  @Test("The preview's picture is a PNG of 1200 by 630 points")
  func picture() throws {
    let server = try TestServer { $0.publicURL = "https://play.example.org" }
    let room = try server.player("host").createRoom()
    for _ in 0..<2 {
      let picture = try TestHTTP.get("/qr/\(symbols(room)).png", port: server.port)
      #expect(picture.status == 200 && picture.field("Content-Type") == "image/png")
      #expect(picture.bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      #expect(picture.bytes.dropFirst(16).prefix(10) == [0, 0, 4, 176, 0, 0, 2, 118, 2, 3])
      #expect(picture.bytes.count < 16_384)
    }
    #expect(try TestHTTP.get("/qr/\(RoomCode(drawing: 7)).png", port: server.port).status == 404)
  }

  @Test("A browser at an address that leads nowhere gets a page with ways on, and a program plain text")
  func lost() throws {
    let server = try TestServer()
    let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n"
    for path in ["/nowhere", "/j", "/j/a/b", "/tap/x", "/STORIES/1"] {
      let page = try TestHTTP.get(path, port: server.port, fields: browser)
      #expect(page.status == 404 && page.field("Content-Type") == "text/html; charset=utf-8", "\(path)")
      #expect(page.body.contains("data-lost=\"path\"") && page.body.contains("id=\"code-form\""), "\(path)")
      #expect(try TestHTTP.get(path, port: server.port).body == "not found\n", "\(path)")
    }
    for path in ["/g", "/g/a", "/g/a/b"] {
      let page = try TestHTTP.get(path, port: server.port, fields: browser)
      #expect(page.status == 404 && page.body.contains("data-lost=\"path\""), "\(path)")
      #expect(try TestHTTP.get(path, port: server.port).body == "no game is shared by this link\n", "\(path)")
    }
    for path in ["/v1/nowhere", "/qr/x.svg", "/r/x", "/web/0/a.js", "/photo/XX"] {
      #expect(
        try TestHTTP.get(path, port: server.port, fields: browser).field("Content-Type")?.hasPrefix("text/plain")
          == true
      )
    }
    let room = try TestHTTP.get("/j/\(RoomCode(drawing: 7))", port: server.port, fields: browser)
    #expect(room.status == 404 && room.body.contains("data-lost=\"room\""))
  }

  @Test("The service worker names the present version, and is asked for anew each time")
  func worker() throws {
    let server = try TestServer()
    let worker = try TestHTTP.get("/worker.js", port: server.port)
    #expect(worker.status == 200 && worker.field("Content-Type") == "text/javascript; charset=utf-8")
    #expect(worker.field("Cache-Control") == "no-cache")
    let page = try TestHTTP.get("/offline", port: server.port).body
    let assets = try #require(page.firstMatch(of: /\/web\/[0-9a-f]+/)).output
    #expect(worker.body.contains("\"\(assets)\"") && !worker.body.contains("{{"))
    let manifest = try TestHTTP.get("\(assets)/app.webmanifest", port: server.port)
    #expect(manifest.field("Content-Type") == "application/manifest+json")
    for match in manifest.body.matches(of: /"src": "([^"]+)"/) {
      #expect(try TestHTTP.get("\(assets)/\(match.output.1)", port: server.port).status == 200, "\(match.output.1)")
    }
  }
}
