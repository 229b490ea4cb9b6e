// What the listener answers over plain HTTP, and the server's end.
import MadangProtocol
import TestSupport
import Testing

@Suite struct PagesTests {
  @Test("Health, readiness, the room's page and its QR")
  func pages() throws {
    let server = try TestServer { $0.publicURL = "https://play.example.org" }
    #expect(try TestHTTP.get("/healthz", port: server.port).body == "ok\n")
    #expect(try TestHTTP.get("/readyz", port: server.port).status == 200)
    let host = try server.player("host")
    let room = try host.createRoom()
    let symbols = room.code.filter { $0 != "-" }
    #expect(room.joinURL == "HTTPS://PLAY.EXAMPLE.ORG/J/\(symbols)")
    for path in ["/j/\(symbols)", "/J/\(symbols)", "/j/\(room.code.lowercased())"] {
      let page = try TestHTTP.get(path, port: server.port)
      #expect(page.status == 200)
      #expect(page.body.contains(room.code))
      #expect(page.body.contains("/qr/\(symbols).svg"))
    }
    let picture = try TestHTTP.get("/qr/\(symbols).svg", port: server.port)
    #expect(picture.head.contains("image/svg+xml"))
    #expect(picture.body.hasPrefix("<svg"))
    for path in ["/j/\(RoomCode(drawing: 7))", "/j/nonsense", "/qr/\(symbols)", "/nowhere", "/j", "/j/a/b"] {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
    #expect(try TestHTTP.get("/v1/play", port: server.port).status == 426)
    let head = try TestHTTP.send("HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.port)
    #expect(head.status == 200)
    #expect(head.body.isEmpty)
  }

  @Test("Requests on one connection are answered in order, also when they come at once")
  func keepAlive() throws {
    let server = try TestServer()
    let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    let last = "GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    let answer = try TestHTTP.send(get + get + last, port: server.port)
    #expect(answer.body.components(separatedBy: "HTTP/1.1 200").count == 3)
    #expect(answer.body.hasSuffix("ready\n"))
  }

  @Test("A peer that asks and asks without reading gets one answer at a time, then is given up")
  func pipelining() throws {
    let server = try TestServer { $0.netLimits.kernelSendBytes = 4_096 }
    let socket = try TestSocket(port: server.port)
    socket.shrinkReceiveBuffer()
    let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var sent = 0
    while sent < 100_000, (try? socket.send(request)) != nil { sent += 1 }
    let report = try server.report { $0.net.connectionsClosed == 1 }
    #expect(report.net.bytesOut < 1_000_000)
    #expect(try TestHTTP.get("/healthz", port: server.port).status == 200)
  }

  @Test("Told to end, the server refuses what is new, tells everyone, lets a running game end, then ends")
  func drain() throws {
    let server = try TestServer()
    let idle = try server.player("idle")
    let host = try server.player("host")
    let guest = try server.player("guest")
    let room = try host.createRoom { $0.durationS = 10 }
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    let box = ReportBox()
    server.server.drain { box.put($0) }
    for player in [idle, host, guest] {
      let message = try player.first { if case .closing = $0.body { true } else { false } }
      #expect(message.closing.reconnectAfterMs <= 30_000)
    }
    #expect(try idle.awaitEnd() == CloseCode.shuttingDown.rawValue)
    #expect(try TestHTTP.get("/readyz", port: server.port).status == 503)
    #expect(try TestHTTP.get("/healthz", port: server.port).status == 200)
    #expect(throws: TestFailure.self) { try TestPlayer(port: server.port) }
    try host.expectOk(.chat(TestPlayer.chat("the game goes on")))
    for _ in 0..<12 {
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    _ = try host.event { $0.phase.phase == .ended }
    #expect(try host.awaitEnd() == CloseCode.shuttingDown.rawValue)
    #expect(try guest.awaitEnd() == CloseCode.shuttingDown.rawValue)
    // These clients never answer a close frame: the server waits for them within the grace time and no longer.
    for _ in 0..<20 where !box.hasReport {
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    #expect(box.take().play.tickFrames > 0)
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
