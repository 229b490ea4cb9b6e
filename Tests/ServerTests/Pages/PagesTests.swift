// The listener's answers over plain HTTP.
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
    for path in ["/screen/\(symbols)", "/screen/\(room.code.lowercased())"] {
      let page = try TestHTTP.get(path, port: server.port)
      #expect(page.status == 200 && page.body.contains(room.code) && !page.body.contains("{{"))
    }
    let picture = try TestHTTP.get("/qr/\(symbols).svg", port: server.port)
    #expect(picture.head.contains("image/svg+xml"))
    #expect(picture.body.hasPrefix("<svg"))
    for path in [
      "/j/\(RoomCode(drawing: 7))", "/j/nonsense", "/qr/\(symbols)", "/nowhere", "/j", "/j/a/b", "/screen", "/screen/a",
    ] {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
    #expect(try TestHTTP.get("/v1/play", port: server.port).status == 426)
    let head = try TestHTTP.send("HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.port)
    #expect(head.status == 200)
    #expect(head.body.isEmpty)
  }

  @Test("Embedded requests of other sites are refused, and use up no codes of their reader")
  func embedded() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let symbols = try host.createRoom().code.filter { $0 != "-" }
    let foreign = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"
    for _ in 0..<300 {
      #expect(try TestHTTP.get("/j/\(RoomCode(drawing: 7))", port: server.port, fields: foreign).status == 403)
      #expect(try TestHTTP.get("/screen/\(RoomCode(drawing: 7))", port: server.port, fields: foreign).status == 403)
    }
    let opened = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
    #expect(try TestHTTP.get("/j/\(symbols)", port: server.port, fields: opened).status == 200)
    let framed = "\(opened)Sec-Fetch-Dest: iframe\r\n"
    for _ in 0..<300 {
      #expect(try TestHTTP.get("/qr/\(RoomCode(drawing: 7)).svg", port: server.port, fields: framed).status == 403)
    }
    let ownWindow = "\(opened)Sec-Fetch-Dest: document\r\n"
    #expect(try TestHTTP.get("/qr/\(symbols).svg", port: server.port, fields: ownWindow).status == 200)
    let own = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: no-cors\r\n"
    #expect(try TestHTTP.get("/qr/\(symbols).svg", port: server.port, fields: own).status == 200)
    #expect(try TestHTTP.get("/qr/\(symbols).svg", port: server.port, fields: foreign).status == 403)
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

  @Test("A peer that pipelines requests without reading gets one answer at a time, and is then dropped")
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
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
