// Territory games over the wire: cells in ticks and in the room's state, captures as events, a player's own path.
import MadangProtocol
import TestSupport
import Testing

@Suite struct TerritoryTests {
  /// 1e-7 degrees for a metre north, and for one east at 37.5°.
  private static let north = 89.932
  private static let east = 113.357

  private static func move(_ northM: Double, _ eastM: Double) -> WireClientMessage.OneOf_Body {
    .move(TestPlayer.move(375_000_000 + Int32(northM * north), 1_267_000_000 + Int32(eastM * east)))
  }

  private static func create(_ request: inout WireCreateRoom) {
    request.mode = .territory
    request.durationS = 120
    request.speedMaxMmS = 100_000
    request.arena.cells = 60
    request.arena.cellM = 10
  }

  /// A path around a square of 100 m; the first fix is its south-western corner.
  private static let square: [(Double, Double)] = [
    (0, 0), (0, 50), (0, 100), (50, 100), (100, 100), (100, 50), (100, 0), (50, 0), (5, 0),
  ]

  private func walk(_ ways: [(TestPlayer, (Double, Double))], _ server: TestServer, _ all: [TestPlayer]) throws {
    for (step, _) in Self.square.enumerated() {
      for (player, offset) in ways {
        let place = Self.square[step]
        try player.expectOk(Self.move(place.0 + offset.0, place.1 + offset.1))
      }
      try clock(server, all)
    }
  }

  private func clock(_ server: TestServer, _ players: [TestPlayer]) throws {
    try server.passSecond()
    for player in players { try player.pump() }
    _ = server.report()
  }

  /// A client's copy of the cells.
  private struct Cells: Equatable {
    var seats: [UInt32: UInt32] = [:]

    mutating func take(_ starts: [UInt32], _ counts: [UInt32], _ seats: [UInt32]) {
      for run in starts.indices {
        for cell in starts[run]..<starts[run] + counts[run] { self.seats[cell] = seats[run] }
      }
    }
  }

  @Test(
    "A closed loop takes its ground: ticks have the cells, an event the capture, and a resumed player gets the same",
    arguments: [Subprotocol.json, .proto]
  )
  func capture(_ subprotocol: Subprotocol) throws {
    let server = try TestServer()
    let host = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let guest = try TestPlayer(port: server.port, subprotocol: subprotocol)
    _ = try host.hello("가람")
    let token = try guest.hello("나래").sessionToken
    let room = try host.createRoom(Self.create)
    #expect(room.mode == .territory && room.durationS == 120)
    #expect(room.arena.cells == 60 && room.arena.cellM == 10 && !room.arena.hasLatE7)
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    // The guest's square overlaps a quarter of the host's, and closes behind it.
    try walk([(host, (0, 0)), (guest, (-50, 50))], server, [host, guest])
    // An event comes with the first tick after its commit.
    func captures() -> Int {
      guest.inbox.reduce(0) { $0 + $1.tick.events.count { $0.body?.name == "captured" } }
    }
    while captures() < 2 {
      try server.passTick()
      for player in [host, guest] { try player.pump() }
    }

    var cells = Cells()
    var points: [UInt32: UInt32] = [:]
    var captured: [WireCaptured] = []
    var arenas = 0
    for message in guest.inbox {
      guard case .tick(let tick) = message.body else { continue }
      cells.take(tick.cellStarts, tick.cellCounts, tick.cellSeats)
      for row in tick.seats.indices { points[tick.seats[row]] = tick.points[row] }
      captured += tick.events.filter { $0.body?.name == "captured" }.map(\.captured)
      if tick.hasArena {
        arenas += 1
        #expect(tick.arena.latE7 == 375_000_000 && tick.arena.lngE7 == 1_267_000_000 && tick.arena.cells == 60)
      }
    }
    #expect(arenas == 1)
    #expect(captured.map(\.seat) == [0, 1] && captured.map(\.areaM2) == [10_000, 10_000])
    #expect(points == [0: 7_500, 1: 10_000])
    #expect(cells.seats.values.count(where: { $0 == 0 }) == 75 && cells.seats.values.count(where: { $0 == 1 }) == 100)
    let paths = guest.inbox.compactMap { if case .path(let path) = $0.body { path.state } else { nil } }
    #expect(paths.prefix(2) == [.open, .taken])

    let back = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let state = try back.resume(token).room
    var whole = Cells()
    whole.take(state.cellStarts, state.cellCounts, state.cellSeats)
    #expect(whole == cells)
    #expect(state.arena.latE7 == 375_000_000 && state.points == [7_500, 10_000])
  }

  @Test(
    "A player's path is sent after the start of the game, however long its commit takes, and is not open after the end"
  )
  func notificationsInOrder() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let host = try server.player("가람")
    let guest = try server.player("나래", .proto)
    let code = try host.createRoom {
      Self.create(&$0)
      $0.durationS = 10
    }.code
    _ = try guest.joinRoom(code)
    store.hold()
    try host.send(.startGame(WireStartGame()), id: 900)
    for second in 0..<3 {
      try host.expectOk(Self.move(0, Double(second)))
      server.clock.advance(seconds: 1)
      for player in [host, guest] { try player.pump() }
    }
    #expect(!host.inbox.contains { $0.body?.isPath ?? false })
    store.release()
    guard case .ok = try host.reply(to: 900) else { throw TestFailure("not started") }
    while !host.inbox.contains(where: { $0.body?.isPath ?? false }) {
      try server.passTick()
      try host.pump()
    }
    let start = try #require(host.inbox.firstIndex { $0.tick.events.contains { $0.phase.phase == .playing } })
    #expect(try start < #require(host.inbox.firstIndex { $0.body?.isPath ?? false }))

    // The guest's first fix comes with the game's last tick.
    try server.pass(seconds: 6, host, guest)
    server.clock.advance(milliseconds: 200)
    try guest.expectOk(Self.move(0, 20))
    server.clock.advance(milliseconds: 800)
    while !guest.takeEvents().contains(where: { $0.phase.phase == .ended }) {
      try server.passTick()
      try guest.pump()
    }
    #expect(!guest.inbox.contains { $0.body?.isPath ?? false })
  }

  @Test("After a crash land and open path are restored, and the path can be closed")
  func crash() throws {
    let server = try TestServer()
    let host = try TestPlayer(port: server.port)
    let guest = try TestPlayer(port: server.port, subprotocol: .proto)
    let tokens = (try host.hello("가람").sessionToken, try guest.hello("나래").sessionToken)
    let code = try host.createRoom(Self.create).code
    _ = try guest.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    try walk([(host, (0, 0))], server, [host, guest])
    for place in Self.square.prefix(6) {
      try guest.expectOk(Self.move(place.0 + 110, place.1))
      try clock(server, [host, guest])
    }
    // The answer to a chat waits for the commit of everything before it; the answer to a position waits for none.
    try guest.expectOk(.chat(TestPlayer.chat("여기")))
    let again = try server.crash(downFor: 30)
    let hostBack = try TestPlayer(port: again.port)
    let guestBack = try TestPlayer(port: again.port)
    let room = try hostBack.resume(tokens.0).room
    #expect(room.points == [10_000, 0] && room.pathLatE7.isEmpty)
    let guestRoom = try guestBack.resume(tokens.1).room
    #expect(guestRoom.pathLatE7.count == 6 && guestRoom.pathLngE7.count == 6)
    #expect(
      abs(Int64(guestRoom.pathLatE7[0]) - 375_009_892) < 3 && abs(Int64(guestRoom.pathLngE7[0]) - 1_267_000_000) < 3
    )
    for place in Self.square.suffix(3) {
      try guestBack.expectOk(Self.move(place.0 + 110, place.1))
      try clock(again, [hostBack, guestBack])
    }
    try again.passTick()
    let captured = try guestBack.event { $0.body?.name == "captured" && $0.captured.seat == 1 }.captured
    #expect(captured.areaM2 == 10_000)
  }

  @Test("With cutting, a player is notified that an opponent has crossed the path")
  func cutting() throws {
    let server = try TestServer()
    let host = try server.player("가람")
    let guest = try server.player("나래")
    let code = try host.createRoom {
      Self.create(&$0)
      $0.cutting = true
    }.code
    #expect(try guest.joinRoom(code).cutting)
    try host.expectOk(.startGame(WireStartGame()))
    try host.expectOk(Self.move(0, 0))
    try guest.expectOk(Self.move(-20, 25))
    try clock(server, [host, guest])
    try host.expectOk(Self.move(0, 50))
    try clock(server, [host, guest])
    try guest.expectOk(Self.move(20, 25))
    try server.passTick()
    let message = try host.first { if case .path(let path) = $0.body { path.state == .dropped } else { false } }
    #expect(message.path.reason == .cut)
  }

  @Test("Settings of another mode, half a place, and an out-of-range grid are refused, with the field's name")
  func refusals() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    let cases: [(String, (inout WireCreateRoom) -> Void)] = [
      ("arena", { $0.arena.cells = 40 }),
      ("cutting", { $0.cutting = true }),
      ("landIds", { $0.landIds = ["0123456789abcdef0123456789abcdef"] }),
      (
        "arena",
        {
          $0.mode = .territory
          $0.arena.latE7 = 1
        }
      ),
      (
        "cells",
        {
          $0.mode = .territory
          $0.arena.cells = 401
        }
      ),
      (
        "cellM",
        {
          $0.mode = .territory
          $0.arena.cellM = 4
        }
      ),
      (
        "latE7",
        {
          $0.mode = .territory
          $0.arena.latE7 = 850_000_001
          $0.arena.lngE7 = 0
        }
      ),
    ]
    for (field, configure) in cases {
      var request = WireCreateRoom()
      request.mode = .footprint
      configure(&request)
      let error = try player.refusal(of: .createRoom(request))
      #expect(error.code == .outOfRange && error.message.hasPrefix(field), "\(error.message)")
    }
    #expect(try player.createRoom().mode == .footprint)
  }
}

extension WireServerMessage.OneOf_Body {
  fileprivate var isPath: Bool { if case .path = self { true } else { false } }
}
