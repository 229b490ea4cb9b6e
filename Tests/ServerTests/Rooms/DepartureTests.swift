// Deleted players leave all rooms at the pace of a budget, in however many rooms they are known, and over a restart.
import MadangProtocol
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct DepartureTests {
  private static let rooms = 18
  /// A room keeps 64 KiB of chats' texts.
  private static let chats = 40
  private static let words = String(repeating: "👨‍👩‍👧‍👦", count: 64)
  private static let name = "잊혀질이"

  /// A server with rooms full of chats that one player has passed through, and another player, who has been in a small
  /// room.
  private final class Crowd {
    let operators: TestOperators
    var server: TestServer { operators.game }
    let player: TestPlayer
    let other: TestPlayer
    private var hosts: [TestPlayer] = []

    init(store: any Store) throws {
      operators = try TestOperators(store: store)
      player = try operators.game.player(name)
      other = try operators.game.player("other")
      for number in 0..<rooms {
        let host = try server.player("host \(number)")
        _ = try player.joinRoom(try host.createRoom().code)
        try player.expectOk(.leaveRoom(WireLeaveRoom()))
        hosts.append(host)
        try pass(2)
      }
      _ = try other.createRoom()
      for _ in 0..<chats {
        for host in hosts { try host.expectOk(.chat(TestPlayer.chat(words))) }
        try pass(1)
      }
    }

    /// Lets time pass while everybody answers pings.
    private func pass(_ seconds: Int) throws {
      for _ in 0..<seconds {
        server.clock.advance(seconds: 1)
        _ = try server.report { $0.isCommitted }
        for player in [player, other] + hosts { try player.pump() }
      }
    }

    /// Deletes the player, until rooms wait for the budget.
    func delete() throws {
      let before = try operators.metrics()
      try player.send(.deleteAccount(TestPlayer.deleteAccount()), id: 900)
      let paused = "madang_budget_refusals_total{budget=\"ERASED_ROOM_BYTES\",scope=\"PROCESS\"}"
      var looks = 0
      while try operators.metrics().rise(of: paused, since: before) == 0, looks < 1_000 { looks += 1 }
      #expect(looks < 1_000)
    }
  }

  /// Whether stored rooms contain the player.
  private func tells(_ store: any Store) throws -> Bool {
    var tells = false
    let name = Array(Self.name.utf8)
    try store.liveRooms { room in
      tells = tells || room.journal.indices.contains { room.journal[$0...].starts(with: name) }
    }
    return tells
  }

  @Test("A deletion from many rooms full of chats is done in pieces; a player of a small room does not wait")
  func pace() throws {
    let store = MemoryStore()
    let crowd = try Crowd(store: store)
    #expect(try tells(store))
    try crowd.delete()
    try crowd.other.send(.deleteAccount(TestPlayer.deleteAccount()), id: 901)
    var seconds = 0
    while try !isAnswered(crowd.other), seconds < 20 {
      seconds += 1
      crowd.server.clock.advance(seconds: 1)
      _ = try crowd.server.report { $0.isCommitted }
    }
    guard case .ok = try crowd.other.reply(to: 901) else { throw TestFailure("not deleted") }
    #expect(try !isAnswered(crowd.player))
    #expect(try tells(store))
    // A MiB takes a quarter of a minute.
    for _ in 0..<20 {
      crowd.server.clock.advance(seconds: 1)
      _ = crowd.server.report()
    }
    guard case .ok = try crowd.player.reply(to: 900) else { throw TestFailure("not deleted") }
    #expect(try !tells(store))
  }

  private func isAnswered(_ player: TestPlayer) throws -> Bool {
    try player.pump()
    return player.inbox.contains { $0.replyTo != 0 }
  }

  @Test("A deletion with pending rooms continues at the next start")
  func restart() throws {
    let store = MemoryStore()
    let crowd = try Crowd(store: store)
    try crowd.delete()
    #expect(try store.unfinishedDeletions.count == 1)
    #expect(try tells(store))
    let again = try crowd.server.crash()
    _ = try again.report { _ in (try? store.unfinishedDeletions.isEmpty) == true }
    // The start's maintenance may have come before.
    _ = try again.report { $0.isCommitted }
    for _ in 0..<10 {
      again.clock.advance(seconds: 1)
      _ = again.report()
    }
    #expect(try !tells(store))
  }
}
