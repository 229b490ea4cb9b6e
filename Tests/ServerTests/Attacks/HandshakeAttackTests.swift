// Invalid handshakes over real sockets: each gets its status or its end, and a player in a room of the same shard gets
// every tick.
import MadangProtocol
import TestSupport
import Testing

@Suite struct HandshakeAttackTests {
  private static let upgrade =
    "GET /v1/play HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

  private static func get(_ fields: String...) -> String {
    (["GET /healthz HTTP/1.1", "Host: a.example"] + fields + ["", ""]).joined(separator: "\r\n")
  }

  /// Each head is followed by a request that a fooled reader would answer with 200.
  static let refused: [(head: String, status: Int)] = [
    (get("Content-Length: 5"), 413),
    (get("Content-Length: 0", "Content-Length: 5"), 400),
    (get("Content-Length: +5"), 400),
    (get("Content-Length: 0x5"), 400),
    (get("Transfer-Encoding: chunked"), 501),
    (get("Transfer-Encoding: identity"), 501),
    (get("Transfer-Encoding : chunked"), 400),
    (get("Transfer-Encoding: chunked", "Content-Length: 5"), 400),
    (get("X: y\r\n Transfer-Encoding: chunked"), 400),
    (get("X: y\nTransfer-Encoding: chunked"), 400),
    (get("X: y\u{0}"), 400),
    (get("Host: b.example"), 400),
    ("GET http://b.example/healthz HTTP/1.1\r\nHost: a.example\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\nHost: a.example\n\n", 400),
    ("POST /healthz HTTP/1.1\r\nHost: a.example\r\nContent-Length: 5\r\n\r\n", 405),
    (get("X: " + String(repeating: "x", count: 8_192)), 431),
    (get(String(repeating: "X: y\r\n", count: 63) + "X: y"), 431),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("\u{16}\u{3}\u{1}\u{0}\u{5}hello, TLS\r\n\r\n", 400),
    (upgrade + "Sec-WebSocket-Version: 8\r\n\r\n", 426),
    (upgrade + "\r\n", 426),
    (upgrade + "Sec-WebSocket-Version: 13\r\nContent-Length: 5\r\n\r\n", 413),
  ]

  @Test(
    "Ambiguous and unsupported requests are refused, and the connection ends",
    arguments: refused.indices
  )
  func refusedHeads(index: Int) throws {
    let (head, status) = Self.refused[index]
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let answer = try TestHTTP.send(head + Self.get(), port: server.port)
    #expect(answer.status == status, "\(head.prefix(80))")
    #expect(!answer.body.contains("HTTP/1.1 200"), "the following request is not answered")
    try honest.pass(seconds: 1)
  }

  /// The status for a page's Origin, on a server whose operator allows `list`.
  static let pageOrigins: [(origin: String?, list: String, status: Int)] = [
    (nil, "", 101), ("http://a.example", "", 101), ("https://a.example", "", 101), ("null", "", 403),
    ("https://evil.example", "", 403), ("https://a.example.evil.example", "", 403), ("https://a.example:444", "", 403),
    ("http://a.example, https://evil.example", "", 403),
    ("https://friend.example", "https://friend.example", 101), ("http://friend.example", "https://friend.example", 403),
    ("https://friend.example:444", "https://friend.example", 403), ("http://a.example", "https://friend.example", 101),
    ("null", "https://friend.example", 403), ("https://evil.example", "*", 101), ("null", "*", 101),
  ]

  @Test("Only pages of this host and of the allowed origins may connect", arguments: pageOrigins.indices)
  func pages(index: Int) throws {
    let (origin, list, status) = Self.pageOrigins[index]
    var refused: (any Error)?
    let server = try TestServer(shards: 1) { configuration in
      do { try configuration.allowOrigins(list) } catch { refused = error }
    }
    #expect(refused == nil)
    let honest = try HonestPlayer(server)
    let socket = try TestSocket(port: server.port)
    let field = origin.map { "Origin: \($0)\r\n" } ?? ""
    try socket.send(Array((Self.upgrade + "Sec-WebSocket-Version: 13\r\n\(field)\r\n").utf8))
    #expect(String(decoding: try socket.receive(), as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
    try honest.tick()
  }

  @Test("A head that trickles in gets a timeout answer after ten seconds; a connection without one is closed silently")
  func dripAndSilence() throws {
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let dripping = try (0..<20).map { _ in try TestSocket(port: server.port) }
    let silent = try (0..<20).map { _ in try TestSocket(port: server.port) }
    _ = try server.report { $0.net.connectionsAccepted == 1 + dripping.count + silent.count }
    let head = Array(Self.get().utf8)
    for second in 0..<9 {
      for socket in dripping {
        try socket.send([head[second]])
        #expect(!socket.hasInput)
      }
      try honest.pass(seconds: 1)
    }
    try honest.pass(seconds: 2)
    for socket in dripping {
      #expect(String(decoding: try socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    }
    for socket in silent { #expect(try socket.receiveToEnd().isEmpty) }
    try honest.tick()
  }

  @Test("Half a TLS greeting times out after ten seconds")
  func halfGreeting() throws {
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let socket = try TestSocket(port: server.port)
    try socket.send([0x16, 0x03, 0x01, 0x02])
    _ = try server.report { $0.net.bytesIn > 0 }
    try honest.pass(seconds: 11)
    #expect(String(decoding: try socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 4"))
  }

  @Test("Pipelined requests whose answers are not read end the connection when too many wait")
  func pipelined() throws {
    let server = try TestServer(shards: 1) { $0.netLimits.kernelSendBytes = 4_096 }
    let honest = try HonestPlayer(server)
    let socket = try TestSocket(port: server.port)
    socket.shrinkReceiveBuffer()
    let request = Array("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".utf8)
    let piece = Array(repeatElement(request, count: 100).joined())
    // Bounded only so that a failing test ends: the server ends it long before.
    for _ in 0..<10_000 {
      guard (try? socket.send(piece)) != nil else { break }
      try honest.tick()
      if server.report().net.connectionsClosed > 0 { break }
    }
    #expect(server.report().net.connectionsClosed == 1)
    #expect(server.report().net.bytesOut < 1 << 20)
    try honest.pass(seconds: 1)
  }
}
