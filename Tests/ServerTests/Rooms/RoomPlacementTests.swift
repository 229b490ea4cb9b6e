// New rooms and the shards' loads: made where there is room, refused where there is none.
import MadangProtocol
import Net
import SeededRandom
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
    #expect(RoomPlacement.shard(own: 0, loads: loads, promised: shares.map { _ in 0 }) == expected)
  }

  @Test(
    "200 rooms made in one second are spread over shards of equal load, wherever their creators are",
    arguments: [0, 1, 2] as [Int?] + [nil]
  )
  func burst(own: Int?) {
    let promises = PromisedLoads()
    var counts = [0, 0, 0]
    for number in 0..<200 {
      let shard = promises.placeRoom(
        own: own ?? number % 3,
        loads: [0.3, 0.3, 0.3].map { Reading(share: $0, isOverloaded: false) },
        share: 4 * RoomPlacement.shareOfPlayer,
        at: Timestamp(milliseconds: Int64(number) * 5)
      )
      if let shard { counts[shard] += 1 }
    }
    #expect(counts.allSatisfy { (60...75).contains($0) }, "\(counts)")
  }

  @Test(
    "Restored rooms are spread by their members, and a room counts as one more",
    arguments: [
      ([], 2, []), ([5], 3, [0]), ([4, 4, 4, 4], 2, [0, 1, 0, 1]), ([200, 4, 4, 4], 2, [0, 1, 1, 1]),
      ([1, 30, 1, 30], 2, [0, 0, 1, 1]), ([0, 0, 0, 0, 2], 2, [1, 1, 1, 0, 0]), ([3, 2, 1], 1, [0, 0, 0]),
    ] as [([Int], Int, [Int])]
  )
  func restored(memberCounts: [Int], shardCount: Int, expected: [Int]) {
    #expect(RoomPlacement.spread(memberCounts: memberCounts, over: shardCount) == expected)
  }

  @Test("Restored rooms of any sizes leave the shards within the largest room of each other")
  func restoredBalance() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<100 {
      let memberCounts = (0..<50).map { _ in Int.random(in: 0...40, using: &random) }
      let shards = RoomPlacement.spread(memberCounts: memberCounts, over: 4)
      let sums = (0..<4).map { shard in
        memberCounts.indices.filter { shards[$0] == shard }.map { memberCounts[$0] + 1 }.reduce(0, +)
      }
      #expect((sums.max() ?? 0) - (sums.min() ?? 0) <= 41, "\(sums)")
    }
  }

  @Test("A burst fills the shard with less to do until it is as loaded as its own, and promises are forgotten")
  func promises() {
    let promises = PromisedLoads()
    let loads = [0.5, 0.2].map { Reading(share: $0, isOverloaded: false) }
    func place(_ count: Int, at milliseconds: Int64) -> Int {
      (0..<count).count { _ in
        promises.placeRoom(
          own: 0,
          loads: loads,
          share: 4 * RoomPlacement.shareOfPlayer,
          at: Timestamp(milliseconds: milliseconds)
        ) == 1
      }
    }
    #expect(place(90, at: 1_000) == 90)
    #expect((100...110).contains(place(200, at: 1_000)), "ten, then every other")
    #expect(place(90, at: 600_000) == 90)
  }

  @Test(
    "A lobby moves from a full shard to the one with least to do, if that stays far from full",
    arguments: [
      ([0.97, 0.4], [0], 1), ([0.8, 0.5], [], 1), ([0.79, 0.1], [], nil), ([0.85, 0.6], [], nil),
      ([0.97, 0.9], [0, 1], nil), ([0.9, 0.5, 0.3], [0], 2), ([0.9, 0.5, 0.3], [0, 2], 1), ([1, 0.7], [0], 1),
    ] as [([Double], [Int], Int?)]
  )
  func destination(shares: [Double], overloaded: [Int], expected: Int?) {
    let loads = shares.indices.map { Reading(share: shares[$0], isOverloaded: overloaded.contains($0)) }
    let none = shares.map { _ in 0.0 }
    let share = 4 * RoomPlacement.shareOfPlayer
    #expect(RoomPlacement.destination(own: 0, loads: loads, promised: none, share: share) == expected)
  }

  @Test("Lobbies that start at once move to a shard only until it has its share")
  func manyStarts() {
    let promises = PromisedLoads()
    let loads = [Reading(share: 0.97, isOverloaded: true), Reading(share: 0.4, isOverloaded: false)]
    let moved = (0..<1_000).count { _ in
      promises.moveLobby(own: 0, loads: loads, share: 0.001, at: Timestamp(milliseconds: 5)) == 1
    }
    #expect((265...275).contains(moved))
  }

  @Test("Rooms are made on the shard that is not overloaded, whose players find them there and play")
  func elsewhere() throws {
    let server = try TestServer(shards: 2)
    let (full, free) = (server.server.shards[0], server.server.shards[1])
    server.load(full, 0.97, isOverloaded: true)
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
    for shard in server.server.shards { server.load(shard, 1, isOverloaded: true) }
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
