// New rooms and the shards' loads: made where there is room, refused where there is none.
import MadangProtocol
import Net
import Server
import TestSupport
import Testing

@Suite("The placement of rooms") struct RoomPlacementTests {
  private typealias Reading = PublishedLoad.Reading

  @Test(
    "A room stays on its creator's shard, unless that is overloaded or another has far less to do",
    arguments: [
      ([0, 0], [], 0), ([0.5, 0.4], [], 0), ([0.7, 0.4], [], 1), ([0.1, 0.9], [], 0), ([0.5, 0.9], [0], 1),
      ([0.96, 0.97], [0, 1], nil), ([0.9, 0.3, 0.2], [], 2), ([0.9, 0.3, 0.2], [2], 1),
    ] as [([Double], [Int], Int?)]
  )
  func choice(shares: [Double], overloaded: [Int], expected: Int?) {
    let loads = shares.indices.map { Reading(share: shares[$0], isOverloaded: overloaded.contains($0)) }
    #expect(RoomPlacement.shard(own: 0, loads: loads) == expected)
  }

  /// Gives a shard a load, as if it were measured.
  private func load(_ shard: Shard, _ share: Double, isOverloaded: Bool = false) {
    shard.post { shard in
      shard.core.take(ShardLoad(now: shard.core.now, share: share, isOverloaded: isOverloaded))
    }
  }

  @Test("Rooms are made on the shard that is not overloaded, whose players find them there and play")
  func elsewhere() throws {
    let server = try TestServer(shards: 2)
    let (full, free) = (server.server.shards[0], server.server.shards[1])
    load(full, 0.97, isOverloaded: true)
    _ = server.report()
    // Connections go to the shards in turn, so some of the creators are on each.
    for number in 0..<4 {
      let host = try server.player("host \(number)")
      let guest = try server.player("guest \(number)")
      let room = try host.createRoom()
      #expect(try server.shard(of: room.code).index == free.index)
      let joined = try guest.joinRoom(room.code)
      #expect(joined.players.count == 2)
      try host.expectOk(.startGame(WireStartGame()))
      try host.expectOk(.leaveRoom(WireLeaveRoom()))
    }
  }

  @Test("Where every shard is overloaded a new room is refused with a time, and rooms that are there go on")
  func refused() throws {
    let server = try TestServer(shards: 2)
    let host = try server.player("나래")
    let code = try host.createRoom().code
    for shard in server.server.shards { load(shard, 1, isOverloaded: true) }
    _ = server.report()
    let late = try server.player("가람")
    guard case .error(let error) = try late.request(.createRoom(WireCreateRoom())) else {
      throw TestFailure("a room was made")
    }
    #expect(error.code == .overloaded && error.retryAfterMs == 5_000)
    let joined = try late.joinRoom(code)
    #expect(joined.players.count == 2)
    try host.expectOk(.startGame(WireStartGame()))
    // Nothing has happened on the shards meanwhile.
    server.clock.advance(seconds: 6)
    for player in [host, late] { try player.pump() }
    _ = server.report()
    try late.expectOk(.leaveRoom(WireLeaveRoom()))
    _ = try late.createRoom()
  }
}
