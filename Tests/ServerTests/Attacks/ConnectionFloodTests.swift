// Too many connections, in all or from one address: late newcomers are answered, connected players play on, and a freed
// place is taken again.
import MadangProtocol
import Net
import TestSupport
import Testing

@Suite struct ConnectionFloodTests {
  /// The status that a newcomer gets without a request.
  private func turnedAway(_ server: TestServer) throws -> Int? {
    let text = String(decoding: try TestSocket(port: server.port).receiveToEnd(), as: UTF8.self)
    #expect(text.contains("\r\nRetry-After: "))
    return Int(text.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  @Test("A full server answers and closes new connections, and accepts one again when another ends")
  func full() throws {
    let server = try TestServer { $0.netLimits.connectionsMax = 4 }
    let honest = try HonestPlayer(server)
    var others = try (0..<3).map { try server.player("player \($0)") }
    for number in 1...50 {
      #expect(try turnedAway(server) == 503)
      #expect(server.report().net.connectionsOverLimit == number)
      try honest.tick()
    }
    for player in others { _ = try player.request(.time(WireTimeRequest())) }
    others.removeLast()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    others.append(try server.player("newcomer"))
    #expect(try turnedAway(server) == 503)
    try honest.pass(seconds: 1)
  }

  @Test("An address has a maximum number of connections")
  func perAddress() throws {
    let server = try TestServer {
      $0.netLimits.limitsLoopback = true
      $0.netLimits.connectionsPerAddressMax = 2
    }
    let honest = try HonestPlayer(server)
    var second: TestPlayer? = try server.player("second")
    for number in 1...20 {
      #expect(try turnedAway(server) == 429)
      #expect(server.report().net.connectionsOverAddressLimit == number)
      try honest.tick()
    }
    #expect(try second?.createRoom() != nil)
    second = nil
    _ = try server.report { $0.net.connectionsClosed == 1 }
    second = try server.player("third")
    #expect(try turnedAway(server) == 429)
    try honest.pass(seconds: 1)
  }

  @Test("The loopback has no limits unless they are configured")
  func loopback() throws {
    let server = try TestServer { $0.netLimits.connectionsPerAddressMax = 2 }
    let players = try (0..<10).map { try server.player("player \($0)") }
    for player in players { _ = try player.createRoom() }
  }

  /// A player's request for a WebSocket, forwarded by a proxy for `client`.
  private func player(_ server: TestServer, for client: String) throws -> TestPlayer {
    let player = try TestPlayer(unconnectedTo: server.port)
    let request = String(decoding: TestPlayer.upgradeRequest(), as: UTF8.self).dropLast()
    try player.socket.send(Array("\(request)X-Forwarded-For: \(client)\r\n\r\n".utf8))
    return player
  }

  @Test("An address has a maximum number of hellos a minute; other addresses are unaffected")
  func hellos() throws {
    let network = try IPNetwork("127.0.0.1")
    let server = try TestServer { $0.listener.trustedProxies = TrustedProxies([network]) }
    for number in 0..<Limits.hellosPerMinuteForAddress {
      let player = try player(server, for: "192.0.2.1")
      try player.finishUpgrade()
      // Sixty devices come back over and over.
      _ = try player.hello("player", secret: "a secret of device \(number % 60)")
    }
    let late = try player(server, for: "192.0.2.1")
    try late.finishUpgrade()
    let refusal = try late.refusal(of: .hello(TestPlayer.hello("late")))
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs > 0)
    let other = try player(server, for: "192.0.2.2")
    try other.finishUpgrade()
    _ = try other.hello("other")
    server.clock.advance(seconds: 1)
    _ = try late.hello("late")
  }

  @Test("An address has a maximum number of new guests a minute; other addresses and known devices are unaffected")
  func newGuests() throws {
    let network = try IPNetwork("127.0.0.1")
    let server = try TestServer { $0.listener.trustedProxies = TrustedProxies([network]) }
    for number in 0..<Limits.newGuestsPerMinuteForAddress {
      let player = try player(server, for: "192.0.2.1")
      try player.finishUpgrade()
      _ = try player.hello("player \(number)", secret: "a secret of device \(number)")
    }
    let late = try player(server, for: "192.0.2.1")
    try late.finishUpgrade()
    let refusal = try late.refusal(of: .hello(TestPlayer.hello("late")))
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs == 100)
    let known = try player(server, for: "192.0.2.1")
    try known.finishUpgrade()
    server.clock.advance(milliseconds: 99)
    _ = try known.hello("known", secret: "a secret of device 7")
    let other = try player(server, for: "192.0.2.2")
    try other.finishUpgrade()
    _ = try other.hello("other")
    server.clock.advance(milliseconds: 1)
    _ = try late.hello("late")
  }

  @Test("Behind a trusted proxy the limit applies to each client, from the upgrade to the end")
  func behindProxy() throws {
    let network = try IPNetwork("127.0.0.1")
    let server = try TestServer {
      $0.listener.trustedProxies = TrustedProxies([network])
      $0.netLimits.connectionsPerAddressMax = 2
    }
    let honest = try HonestPlayer(server)
    let first = "192.0.2.1"
    var inside = try (0..<2).map { _ in try player(server, for: first) }
    for player in inside { try player.finishUpgrade() }
    for _ in 0..<10 {
      let third = try player(server, for: first)
      let answer = String(decoding: try third.socket.receiveToEnd(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 429 "))
      try honest.tick()
    }
    // A client's own prefix of the list is not trusted, so it helps nobody escape.
    let liar = try player(server, for: "192.0.2.9, \(first)")
    #expect(String(decoding: try liar.socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 429 "))
    let other = try player(server, for: "192.0.2.2")
    try other.finishUpgrade()
    // A player who was moved to a room's shard frees the place too, and once.
    let host = try server.player("host")
    let code = try host.createRoom().code
    for player in inside {
      try player.hello("guest")
      _ = try player.joinRoom(code)
    }
    let closed = server.report().net.connectionsClosed
    inside.removeLast()
    _ = try server.report { $0.net.connectionsClosed > closed }
    let again = try player(server, for: first)
    try again.finishUpgrade()
    let oneTooMany = try player(server, for: first)
    #expect(String(decoding: try oneTooMany.socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 429 "))
    try honest.pass(seconds: 1)
  }
}
