// The operators' figures.
import Foundation
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct StatsTests {
  private func numbers(_ object: Any?) -> [String: Any] { object as? [String: Any] ?? [:] }

  @Test("Figures include connections, rooms by mode and phase, shards, commits and the process")
  func figures() throws {
    let operators = try TestOperators()
    let host = try operators.game.player("host")
    let room = try host.createRoom()
    let guest = try operators.game.player("guest")
    _ = try guest.joinRoom(room.code)
    operators.game.clock.advance(seconds: 2)
    let stats = try operators.stats()
    #expect(numbers(stats["connections"])["open"] as? Int == 2)
    #expect(numbers(stats["connections"])["players"] as? Int == 2)
    #expect(stats["draining"] as? Bool == false)
    #expect((stats["uptimeSeconds"] as? Double ?? 0) >= 2)
    let rooms = numbers(stats["rooms"])
    #expect(rooms["open"] as? Int == 1)
    let kinds = (rooms["byKind"] as? [[String: Any]] ?? []).filter { $0["rooms"] as? Int != 0 }
    #expect(kinds.count == 1)
    #expect(kinds.first?["mode"] as? String == "FOOTPRINT")
    #expect(kinds.first?["phase"] as? String == "LOBBY")
    #expect(kinds.first?["players"] as? Int == 2)
    let busiest = rooms["busiest"] as? [[String: Any]] ?? []
    #expect(busiest.map { $0["code"] as? String } == [room.code])
    #expect(busiest.first?["connected"] as? Int == 2)
    let shards = stats["shards"] as? [[String: Any]] ?? []
    #expect(shards.map { $0["shard"] as? Int } == [0, 1])
    #expect(shards.reduce(0) { $0 + ($1["connections"] as? Int ?? 0) } == 2)
    #expect((numbers(stats["commits"])["commits"] as? Int ?? 0) > 0)
    #expect((numbers(stats["process"])["residentBytes"] as? Int ?? 0) > 1 << 20)
    #expect((numbers(stats["process"])["openDescriptors"] as? Int ?? 0) > 4)
    withExtendedLifetime((host, guest)) {}
  }

  @Test("The busiest rooms come first, over all shards, as many as asked for; a solo room has no code")
  func busiestRooms() throws {
    let operators = try TestOperators(shards: 3)
    var players: [TestPlayer] = []
    for size in 1...5 {
      let host = try operators.game.player("host \(size)")
      let room = try host.createRoom { $0.capacity = 8 }
      players.append(host)
      for number in 1..<size {
        let guest = try operators.game.player("guest \(number)")
        _ = try guest.joinRoom(room.code)
        players.append(guest)
      }
    }
    let alone = try operators.game.player("alone")
    _ = try alone.createRoom { $0.solo = true }
    func busiest(_ query: String) throws -> [[String: Any]] {
      numbers(try operators.stats(query)["rooms"])["busiest"] as? [[String: Any]] ?? []
    }
    #expect(try busiest("").map { $0["players"] as? Int } == [5, 4, 3, 2, 1, 1])
    #expect(try busiest("?rooms=2").map { $0["players"] as? Int } == [5, 4])
    #expect(try busiest("?rooms=0").isEmpty)
    #expect(try busiest("").count { $0["code"] as? String == "" } == 1)
    for wrong in ["-1", "1001", "x", ""] {
      #expect(try operators.get("/stats?rooms=\(wrong)", TestOperators.bearer).status == 400, "\(wrong)")
    }
    withExtendedLifetime((players, alone)) {}
  }

  @Test("A draining server is shown as such, and its figures are served to the end")
  func draining() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("player")
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    operators.game.server.drain { _ in }
    #expect(try operators.stats()["draining"] as? Bool == true)
    #expect(try operators.metrics()["madang_draining"] == 1)
    withExtendedLifetime(player) {}
  }
}
