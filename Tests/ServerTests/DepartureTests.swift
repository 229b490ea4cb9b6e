// Deleted players go out of all rooms at a pace that the budget says, however many rooms know them.
import MadangProtocol
import TestSupport
import Testing

@Suite struct DepartureTests {
  private static let rooms = 18
  /// 64 KiB of texts are kept of a room's chats.
  private static let chats = 40
  private static let words = String(repeating: "👨‍👩‍👧‍👦", count: 64)

  @Test("A player who was in many rooms full of chats is deleted in pieces, and whoever is deleted meanwhile waits")
  func manyRooms() throws {
    let operators = try TestOperators()
    let server = operators.game
    let player = try server.player("player")
    let other = try server.player("other")
    var hosts: [TestPlayer] = []
    /// With everybody answering pings.
    func pass(_ seconds: Int) throws {
      for _ in 0..<seconds {
        server.clock.advance(seconds: 1)
        _ = try server.report { $0.isCommitted }
        for player in [player, other] + hosts { try player.pump() }
      }
    }
    for number in 0..<Self.rooms {
      let host = try server.player("host \(number)")
      _ = try player.joinRoom(try host.createRoom().code)
      try player.expectOk(.leaveRoom(WireLeaveRoom()))
      hosts.append(host)
      try pass(2)
    }
    for _ in 0..<Self.chats {
      for host in hosts { try host.expectOk(.chat(TestPlayer.chat(Self.words))) }
      try pass(1)
    }
    let before = try operators.metrics()
    try player.send(.deleteAccount(TestPlayer.deleteAccount()), id: 900)
    let paused = "madang_budget_refusals_total{budget=\"ERASED_ROOM_BYTES\",scope=\"PROCESS\"}"
    var looks = 0
    while try operators.metrics().rise(of: paused, since: before) == 0, looks < 1_000 { looks += 1 }
    #expect(looks < 1_000)
    try other.send(.deleteAccount(TestPlayer.deleteAccount()), id: 901)
    _ = server.report()
    for player in [player, other] {
      try player.pump()
      #expect(!player.inbox.contains { $0.replyTo != 0 })
    }
    // A MiB takes four seconds.
    for _ in 0..<10 {
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    guard case .ok = try player.reply(to: 900) else { throw TestFailure("not deleted") }
    guard case .ok = try other.reply(to: 901) else { throw TestFailure("not deleted") }
  }
}
