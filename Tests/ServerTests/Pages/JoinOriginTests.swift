// The addresses that join links and QRs name, for each client its own; and what `/reach` tells.
import MadangProtocol
import Net
import Server
import TestSupport
import Testing
import WebSocket

@Suite("Addresses of join links", .timeLimit(.minutes(10)))
struct JoinOriginTests {
  private func room(_ server: TestServer) throws -> (symbols: String, host: TestPlayer) {
    let host = try server.player("host")
    let symbols = String(try host.createRoom { $0.capacity = 10 }.code.filter { $0 != "-" })
    return (symbols, host)
  }

  /// The base that a client with these lines in its head is told.
  private func base(_ server: TestServer, _ fields: String) throws -> String {
    let request = "GET /reach HTTP/1.1\r\nConnection: close\r\n\(fields)\r\n\r\n"
    let answer = try TestHTTP.send(request, port: server.port)
    #expect(answer.status == 200)
    #expect(answer.field("Cache-Control") == "no-store")
    let match = try #require(answer.body.firstMatch(of: #/"joinBase":"([^"]*)"/#))
    return String(match.output.1)
  }

  @Test("Without a public URL a client is told the host that it has asked")
  func own() throws {
    let server = try TestServer()
    let served = "http://127.0.0.1:\(server.port)"
    #expect(try base(server, "Host: 192.168.0.10:8080") == "http://192.168.0.10:8080")
    #expect(try base(server, "Host: Play.Example.Org") == "http://play.example.org")
    #expect(try base(server, "Host: [2001:db8::7]:8080") == "http://[2001:db8::7]:8080")
    // What phones don't reach, and what is no host, leads to the address served.
    for host in [
      "localhost:1", "a.localhost", "127.0.0.1:1", "[::1]:1", "0.0.0.0:1", "169.254.1.1", "[fe80::1]", "224.0.0.1",
      "1.2.3", "a..example", String(repeating: "a", count: 64), "a:b",
    ] {
      #expect(try base(server, "Host: \(host)") == served, "\(host)")
    }
    // Nobody's word counts for the scheme where no proxy is declared.
    #expect(try base(server, "Host: a.example\r\nX-Forwarded-Proto: https") == "http://a.example")
    #expect(try base(server, "Host: a.example\r\nX-Forwarded-Host: b.example") == "http://a.example")
  }

  @Test("A public URL counts for everybody")
  func fixed() throws {
    let server = try TestServer { $0.publicURL = "https://play.example.org" }
    for host in ["a.example", "127.0.0.1", "192.168.0.10:8080"] {
      #expect(try base(server, "Host: \(host)\r\nX-Forwarded-Proto: http") == "https://play.example.org")
    }
    let (symbols, _) = try room(server)
    let request = "GET /qr/\(symbols).svg HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    let link = try #require(JoinLink(base: "https://play.example.org", code: symbols))
    #expect(try TestHTTP.send(request, port: server.port).body == link.qr?.svg)
  }

  @Test("Where the operator has named hosts, other names are none of the server's; addresses are")
  func named() throws {
    let origins = try OriginPolicy(list: "https://play.example.org,http://yard.example:8080")
    let server = try TestServer { $0.gateway.origins = origins }
    let served = "http://127.0.0.1:\(server.port)"
    #expect(try base(server, "Host: play.example.org") == "http://play.example.org")
    #expect(try base(server, "Host: yard.example:8080") == "http://yard.example:8080")
    #expect(try base(server, "Host: evil.example") == served)
    #expect(try base(server, "Host: yard.example") == served)
    #expect(try base(server, "Host: 192.168.0.10") == "http://192.168.0.10")
  }

  @Test("A declared proxy says by which scheme it was asked")
  func proxied() throws {
    let proxies = TrustedProxies([try IPNetwork("127.0.0.1")])
    let server = try TestServer { $0.listener.trustedProxies = proxies }
    let fields = "Host: play.example.org\r\nX-Forwarded-For: 198.51.100.7\r\n"
    #expect(try base(server, "\(fields)X-Forwarded-Proto: https") == "https://play.example.org")
    #expect(try base(server, "\(fields)X-Forwarded-Proto: http") == "http://play.example.org")
    // The last value is the nearest proxy's.
    #expect(
      try base(server, "\(fields)X-Forwarded-Proto: https\r\nX-Forwarded-Proto: http") == "http://play.example.org"
    )
  }

  @Test("A QR names the host that it was asked for by, and no other client's")
  func pictures() throws {
    let server = try TestServer()
    let (symbols, _) = try room(server)
    for host in ["192.168.0.10:8080", "evil.example", "play.example", "192.168.0.10:8080"] {
      let request = "GET /qr/\(symbols).svg HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
      let link = try #require(JoinLink(base: "http://\(host)", code: symbols))
      #expect(try TestHTTP.send(request, port: server.port).body == link.qr?.svg)
    }
    let common = try #require(JoinLink(base: "http://127.0.0.1:\(server.port)", code: symbols))
    #expect(try TestHTTP.get("/qr/\(symbols).svg", port: server.port).body == common.qr?.svg)
  }

  @Test("Players of one room are told links by their own ways in, also behind a move between shards", arguments: 1...3)
  func states(shards: Int) throws {
    let server = try TestServer(shards: shards)
    let (symbols, _) = try room(server)
    for (index, name) in ["a.example", "b.example:8080", "a.example"].enumerated() {
      for subprotocol in [Subprotocol.json, .proto] {
        let player = try TestPlayer(unconnectedTo: server.port, subprotocol: subprotocol)
        let request = UpgradeRequest(
          host: name,
          path: "/v1/play",
          subprotocols: [subprotocol.rawValue],
          nonce: Array(repeating: 7, count: 16)
        )
        try player.socket.send(request.bytes)
        try player.finishUpgrade()
        _ = try player.hello("guest \(index) \(subprotocol.isText)")
        let room = try player.joinRoom(symbols)
        #expect(room.joinURL == "HTTP://\(name.uppercased())/J/\(symbols)")
      }
    }
  }

  @Test("A browser at the loopback is told the machine's addresses; nobody else is")
  func machine() throws {
    let server = try TestServer()
    func body(_ fields: String, path: String = "/reach") throws -> TestHTTP {
      try TestHTTP.send("GET \(path) HTTP/1.1\r\nConnection: close\r\n\(fields)\r\n\r\n", port: server.port)
    }
    for host in ["localhost", "127.0.0.1", "[::1]:8080"] {
      let answer = try body("Host: \(host)").body
      #expect(answer.contains(#""listensOnAll":false"#))
      for address in InterfaceAddress.all() where address.ip.isV4 {
        #expect(answer.contains("\"base\":\"http://\(address.ip):\(server.port)\""))
      }
    }
    for fields in [
      "Host: evil.example", "Host: 192.168.0.10", "Host: localhost\r\nX-Forwarded-For: 192.0.2.1",
      "Host: localhost\r\nForwarded: for=192.0.2.1",
    ] {
      #expect(try !body(fields).body.contains("addresses"), "\(fields)")
    }
    #expect(try body("Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors").status == 403)
    #expect(try body("Host: localhost", path: "/reach/x").status == 404)
    let fixed = try TestServer { $0.publicURL = "https://play.example.org" }
    let answer = try TestHTTP.get("/reach", port: fixed.port).body
    #expect(answer.contains(#""hasPublicUrl":true"#) && !answer.contains("addresses"))
  }

  @Test("At the loopback a QR may name another address of the machine, and nothing else")
  func choice() throws {
    let server = try TestServer()
    let (symbols, _) = try room(server)
    func picture(_ query: String, host: String = "localhost") throws -> String {
      let head = "GET /qr/\(symbols).svg\(query) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
      return try TestHTTP.send(head, port: server.port).body
    }
    func drawn(_ base: String) throws -> String {
      try #require(JoinLink(base: base, code: symbols)?.qr?.svg)
    }
    let common = try drawn("http://127.0.0.1:\(server.port)")
    for address in InterfaceAddress.all() where address.ip.isV4 {
      let authority = "\(address.ip):\(server.port)"
      #expect(try picture("?host=\(authority)") == drawn("http://\(authority)"))
      #expect(try picture("?host=\(authority)", host: "a.example") == drawn("http://a.example"))
      #expect(try picture("?host=\(address.ip):1") == common)
    }
    for query in ["", "?", "?host=", "?host=evil.example", "?host=//evil.example", "?other=1"] {
      #expect(try picture(query) == common, "\(query)")
    }
  }

  @Test("The operator is told at the start whether phones reach the address, and of the others")
  func report() throws {
    func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
    let machine = [
      InterfaceAddress(interface: "eth0", ip: try address("192.168.0.10")),
      InterfaceAddress(interface: "eth0", ip: try address("2001:db8::7")),
    ]
    func report(_ listener: String, _ machine: [InterfaceAddress]) throws -> JoinAddressReport {
      let listener = SocketAddress(ip: try address(listener), port: 8_080)
      return JoinAddressReport(base: "http://x", listener: listener, machine: machine)
    }
    let alone = try report("127.0.0.1", machine)
    #expect(!alone.isReachable)
    #expect(alone.text.contains("phones do not reach: set --host 0.0.0.0 for 192.168.0.10 (eth0), or --public-url"))
    #expect(try report("127.0.0.1", []).text.hasSuffix("this machine has no address in a network"))
    let one = try report("198.51.100.7", machine)
    #expect(one.isReachable && !one.text.contains("also has"))
    // A machine without a network has no reachable one.
    let all = try report("::", machine)
    if all.isReachable { #expect(all.text.contains("also has") && all.text.contains("2001:db8::7 (eth0)")) }
  }
}
