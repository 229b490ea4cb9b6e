// A player who stops reading: positions are merged, events wait, the others' ticks go on.
import MadangProtocol
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct SlowReaderTests {
  /// A server whose kernel holds little for a client, and which keeps clients without a pong: the kernel's own
  /// retransmissions follow real seconds, not the tests' clock.
  private func server(_ configure: (inout NetLimits) -> Void = { _ in }) throws -> TestServer {
    try TestServer(shards: 1) {
      $0.netLimits.behindBytes = 0
      $0.netLimits.kernelSendBytes = 4_096
      $0.netLimits.pongSeconds = 100_000
      configure(&$0.netLimits)
    }
  }

  /// A host and a guest in a running game; the guest has a small buffer and reads nothing.
  private func game(_ server: TestServer) throws -> (host: TestPlayer, slow: TestPlayer) {
    let host = try server.player("host")
    let slow = try TestPlayer(unconnectedTo: server.port)
    slow.socket.shrinkReceiveBuffer()
    try slow.socket.send(TestPlayer.upgradeRequest())
    try slow.finishUpgrade()
    try slow.hello("slow")
    _ = try slow.joinRoom(try host.createRoom { $0.durationS = 7_200 }.code)
    try host.expectOk(.startGame(WireStartGame()))
    return (host, slow)
  }

  /// Sends one long chat.
  ///
  /// - Returns: the events of the tick that brings it to the host.
  private func chat(_ host: TestPlayer, _ server: TestServer) throws -> [WireEvent] {
    try host.expectOk(.chat(TestPlayer.chat(String(repeating: "가", count: 100))))
    var events: [WireEvent] = []
    while events.isEmpty {
      // The host's own small buffer may have been full at a tick: then there is another.
      server.clock.advance(seconds: 1)
      _ = server.report()
      try host.pump()
      events += host.takeEvents()
    }
    return events
  }

  @Test("A client that fell behind gets one merged tick with every event, and no other player misses a tick")
  func mergedTick() throws {
    let server = try self.server { $0.stallSeconds = 100_000 }
    let (host, slow) = try game(server)
    // Chats until the kernel takes no more for the slow player.
    var hostNumbers: [UInt32] = []
    var skippedTicks = 0
    for _ in 0..<2_000 where skippedTicks < 3 {
      let before = server.report().play.rooms.tickFrames
      hostNumbers += try chat(host, server).map(\.number)
      if server.report().play.rooms.tickFrames - before == 1 { skippedTicks += 1 }
    }
    #expect(skippedTicks == 3)
    hostNumbers += try chat(host, server).map(\.number)
    // Now the slow player reads: the queue, then one merged tick.
    var numbers: [UInt32] = []
    var skipped: UInt32 = 0
    while numbers.last != hostNumbers.last {
      try server.passTick()
      let tick = try slow.tick()
      numbers += tick.events.map(\.number)
      skipped += tick.skipped
    }
    #expect(skipped >= 3)
    #expect(Set(numbers).count == numbers.count)
    // The host also gets the events that the slow player's own room state had.
    #expect(numbers == hostNumbers.filter { $0 >= numbers[0] } && numbers[0] <= 4)
  }

  @Test("A client that reads nothing for ten seconds is closed, and the others continue to play")
  func stall() throws {
    let server = try self.server()
    let (host, slow) = try game(server)
    var events: [WireEvent] = []
    for _ in 0..<2_000 where server.report().net.connectionsClosed == 0 {
      events += try chat(host, server)
    }
    #expect(server.report().net.connectionsClosed == 1)
    // The seat's hold may have come with a chat already.
    if !events.contains(where: { $0.body.isHeld }) {
      try server.passTick()
      _ = try host.event { $0.body.isHeld }
    }
    try host.expectOk(.chat(TestPlayer.chat("still here")))
    withExtendedLifetime(slow) {}
  }

  /// Chats until the slow player is behind: their ticks are left out.
  private func fillUp(_ host: TestPlayer, _ server: TestServer) throws {
    for _ in 0..<2_000 {
      let before = server.report().play.rooms.tickFrames
      _ = try chat(host, server)
      if server.report().play.rooms.tickFrames - before == 1 { return }
    }
    throw TestFailure("the slow one never fell behind")
  }

  @Test("While a client reads nothing, until it is closed, a player in another room gets every tick")
  func witnessed() throws {
    let server = try self.server()
    let (host, slow) = try game(server)
    let honest = try HonestPlayer(server)
    for _ in 0..<600 where server.report().net.connectionsClosed == 0 {
      try host.expectOk(.chat(TestPlayer.chat(String(repeating: "가", count: 100))))
      try honest.pass(seconds: 1, host)
    }
    #expect(server.report().net.connectionsClosed == 1)
    try honest.pass(seconds: 1, host)
    withExtendedLifetime(slow) {}
  }

  @Test("The waiting bytes of a client that does not read are bounded, because its ticks are merged")
  func mergingBound() throws {
    let behindBytes = 4_096
    let server = try self.server {
      $0.behindBytes = behindBytes
      $0.stallSeconds = 100_000
    }
    let (host, slow) = try game(server)
    try fillUp(host, server)
    // The kernel may take it all at any time, on a busy machine often.
    var bytes = server.report().unsentBytes
    for _ in 0..<200 where bytes <= behindBytes {
      try fillUp(host, server)
      bytes = server.report().unsentBytes
    }
    #expect(bytes > behindBytes)
    // At most so many chats wait to be merged. The kernel may take what waits at any time, on a busy machine often; a
    // tick is queued only behind that, and has all of them.
    var chats = 2
    for _ in 0..<300 {
      _ = try chat(host, server)
      chats += 1
      let now = server.report().unsentBytes
      if now > bytes {
        #expect(now <= behindBytes + chats * Self.tickBytesMax)
        chats = 0
      }
      bytes = now
    }
    #expect(server.report().net.connectionsClosed == 0)
    withExtendedLifetime(slow) {}
  }

  /// The largest size of a tick with one long chat.
  private static let tickBytesMax = 1_024

  @Test("A connection over the bound of waiting bytes is closed, and no other player misses a tick")
  func bound() throws {
    let bytesMax = 32 * 1_024
    let server = try self.server {
      // Nothing is merged.
      $0.behindBytes = 1 << 30
      $0.unsentBytesMax = bytesMax
      $0.stallSeconds = 100_000
    }
    let (host, slow) = try game(server)
    var hostNumbers: [UInt32] = []
    var unsentBytes = 0
    // Bounded only so that a failing test ends.
    for _ in 0..<2_000 {
      hostNumbers += try chat(host, server).map(\.number)
      let before = unsentBytes
      unsentBytes = server.report().unsentBytes
      #expect(unsentBytes <= before + Self.tickBytesMax)
      if unsentBytes > bytesMax { break }
    }
    #expect(unsentBytes > bytesMax)
    hostNumbers += try chat(host, server).map(\.number)
    #expect(server.report().unsentBytes <= unsentBytes, "more is queued for a closed connection")
    #expect(try slow.awaitEnd() == CloseCode.tooSlow.rawValue)
    let first = try #require(hostNumbers.first)
    #expect(hostNumbers == Array(first..<first + UInt32(hostNumbers.count)))
    // The end is not answered; the server waits for it, then the seat is held.
    server.clock.advance(seconds: 3)
    _ = try server.report { $0.net.connectionsClosed == 1 }
    try server.passTick()
    _ = try host.event { $0.body.isHeld }
  }

  @Test("A connection with merged positions still gets pongs and closes")
  func pongsAndCloses() throws {
    let server = try self.server { $0.stallSeconds = 100_000 }
    let (host, slow) = try game(server)
    try fillUp(host, server)
    let before = server.report().net.pingsAnswered
    try slow.socket.send(RawFrame.client(0x89, [1, 2, 3]) + RawFrame.client(0x88, [3, 0xE8]))
    _ = try server.report { $0.net.pingsAnswered == before + 1 }
    #expect(try slow.awaitEnd() == CloseStatus.normal)
    #expect(slow.pongs == [[1, 2, 3]])
    try host.expectOk(.chat(TestPlayer.chat("still here")))
  }
}
