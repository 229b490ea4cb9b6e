// Rooms over real sockets: making, entering, leaving, starting, ending, playing again.
import MadangProtocol
import TestSupport
import Testing

@Suite struct RoomsTests {
  @Test("A whole game: create, join by code, start, walk, end with the same board for both", arguments: [1, 2])
  func wholeGame(shards: Int) throws {
    let server = try TestServer(shards: shards)
    let host = try server.player("가람")
    let guest = try server.player("나래", .proto)
    let made = try host.createRoom { $0.durationS = 10 }
    #expect(made.phase == .lobby)
    #expect(made.you.seat == 0)
    #expect(made.host == 0)
    #expect(made.lastEvent == 2)
    #expect(made.joinURL.hasSuffix("/J/" + made.code.filter { $0 != "-" }))
    let joined = try guest.joinRoom(made.code.lowercased().replacing("-", with: " "))
    #expect(joined.you.seat == 1)
    #expect(joined.players.map(\.nickname) == ["가람", "나래"])
    try host.expectOk(.startGame(WireStartGame()))
    try server.passTick()
    for player in [host, guest] {
      let begin = try player.event { $0.phase.phase == .playing }
      #expect(begin.phase.endsAtGameMs == 10_000)
    }
    for second in 0..<10 {
      try host.expectOk(.move(TestPlayer.move(375_665_000 + Int32(second) * 600, 1_269_780_000)))
      try guest.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000 + Int32(second / 5) * 700)))
      try server.pass(seconds: 1, host, guest)
    }
    try server.passTick()
    let ends = try [host, guest].map { player in try player.event { $0.phase.phase == .ended } }
    #expect(ends[0] == ends[1])
    let board = ends[0].phase.board
    #expect(board.map(\.nickname) == ["가람", "나래"])
    #expect(board.map(\.points) == [10, 2])
    #expect(board.map(\.won) == [true, false])
    #expect(board.map(\.completed) == [true, true])
  }

  @Test("Invalid codes, and codes of no room, a full room and a running game, are refused, each with its own error")
  func wrongCodes() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom {
      $0.capacity = 2
      $0.spectators = false
    }
    let other = try server.player("other")
    #expect(try other.refusal(of: .joinRoom(TestPlayer.join("7K3F9-QXA2"))).code == .badCode)
    let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let last = room.code.last.flatMap { symbols.firstIndex(of: $0) } ?? 0
    let misspelt = String(room.code.dropLast()) + String(symbols[(last + 1) % 32])
    #expect(try other.refusal(of: .joinRoom(TestPlayer.join(misspelt))).code == .badCode)
    let nobodys = RoomCode(drawing: 12_345).description
    #expect(try other.refusal(of: .joinRoom(TestPlayer.join(nobodys))).code == .roomNotFound)
    _ = try other.joinRoom(room.code)
    let third = try server.player("third")
    #expect(try third.refusal(of: .joinRoom(TestPlayer.join(room.code))).code == .roomFull)
    try host.expectOk(.startGame(WireStartGame()))
    #expect(try third.refusal(of: .joinRoom(TestPlayer.join(room.code))).code == .gameOn)
    #expect(try host.refusal(of: .joinRoom(TestPlayer.join(room.code))).code == .alreadyInRoom)
    #expect(try host.refusal(of: .createRoom(WireCreateRoom())).code == .alreadyInRoom)
  }

  @Test("After five unknown codes in a minute a session must wait, and then may try again")
  func guessing() throws {
    let server = try TestServer()
    let guesser = try server.player("guesser")
    for number in 0..<5 {
      let code = RoomCode(drawing: 1_000 + UInt64(number)).description
      #expect(try guesser.refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomNotFound)
    }
    let error = try guesser.refusal(of: .joinRoom(TestPlayer.join(RoomCode(drawing: 2_000).description)))
    #expect(error.code == .rateLimited)
    #expect(error.retryAfterMs == 12_000)
    try server.pass(seconds: 12, guesser)
    let again = try guesser.refusal(of: .joinRoom(TestPlayer.join(RoomCode(drawing: 2_000).description)))
    #expect(again.code == .roomNotFound)
  }

  @Test("A player may make ten rooms a minute")
  func roomsPerMinute() throws {
    let server = try TestServer()
    let maker = try server.player("maker")
    for _ in 0..<10 {
      _ = try maker.createRoom()
      try maker.expectOk(.leaveRoom(WireLeaveRoom()))
    }
    let error = try maker.refusal(of: .createRoom(WireCreateRoom()))
    #expect(error.code == .rateLimited)
    #expect(error.retryAfterMs == 6_000)
  }

  @Test("A resume with the token does not reset the guesses")
  func guessingAcrossConnections() throws {
    let server = try TestServer()
    let first = try TestPlayer(port: server.port)
    let token = try first.hello("guesser").sessionToken
    for number in 0..<5 {
      let code = RoomCode(drawing: 1_000 + UInt64(number)).description
      #expect(try first.refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomNotFound)
    }
    let second = try TestPlayer(port: server.port)
    _ = try second.resume(token)
    let code = RoomCode(drawing: 2_000).description
    #expect(try second.refusal(of: .joinRoom(TestPlayer.join(code))).code == .rateLimited)
  }

  @Test("An address may try 200 unknown codes a minute, over all its sessions")
  func guessingFromOneAddress() throws {
    let server = try TestServer()
    for session in 0..<40 {
      let guesser = try server.player("guesser \(session)")
      for number in 0..<5 {
        let code = RoomCode(drawing: UInt64(session * 5 + number)).description
        #expect(try guesser.refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomNotFound)
      }
    }
    let late = try server.player("late")
    let code = RoomCode(drawing: 9_999).description
    #expect(try late.refusal(of: .joinRoom(TestPlayer.join(code))).code == .rateLimited)
  }

  @Test("A creation's out-of-range setting is named")
  func outOfRange() throws {
    let server = try TestServer()
    let host = try server.player("host")
    func refusal(_ configure: (inout WireCreateRoom) -> Void) throws -> WireError {
      var create = WireCreateRoom()
      configure(&create)
      return try host.refusal(of: .createRoom(create))
    }
    let errors = try [
      refusal { $0.capacity = 1 }, refusal { $0.capacity = 201 }, refusal { $0.durationS = 9 },
      refusal { $0.durationS = 7_201 }, refusal { $0.tickHz = 21 }, refusal { $0.tickHz = 0 },
      refusal { $0.speedMaxMmS = 1 },
    ]
    #expect(errors.allSatisfy { $0.code == .outOfRange })
    let fields = errors.map { String($0.message.prefix { $0.isLetter }) }
    #expect(fields == ["capacity", "capacity", "durationS", "durationS", "tickHz", "tickHz", "speedMaxMmS"])
  }

  @Test("An unknown mode is out of range, never replaced by another mode", arguments: Subprotocol.allCases)
  func otherModes(_ subprotocol: Subprotocol) throws {
    let server = try TestServer()
    let host = try server.player("host", subprotocol)
    for mode in [WireMode.UNRECOGNIZED(4), .UNRECOGNIZED(-1), .UNRECOGNIZED(Int(Int32.max))] {
      var create = WireCreateRoom()
      create.mode = mode
      let error = try host.refusal(of: .createRoom(create))
      #expect(error.code == .outOfRange, "\(mode)")
      #expect(error.message.hasPrefix("mode"), "\(mode)")
    }
    #expect(try host.createRoom().mode == .footprint)
  }

  @Test("A room's requests are refused outside of a room, from spectators, and in the wrong phase")
  func refusals() throws {
    let server = try TestServer()
    let host = try server.player("host")
    #expect(try host.refusal(of: .startGame(WireStartGame())).code == .notInRoom)
    #expect(try host.refusal(of: .leaveRoom(WireLeaveRoom())).code == .notInRoom)
    #expect(try host.refusal(of: .move(TestPlayer.move(0, 0))).code == .notInRoom)
    let room = try host.createRoom {
      $0.capacity = 2
      $0.hostOnly = true
    }
    #expect(try host.refusal(of: .startGame(WireStartGame())).code == .tooFewPlayers)
    #expect(try host.refusal(of: .playAgain(WirePlayAgain())).code == .wrongPhase)
    let guest = try server.player("guest")
    _ = try guest.joinRoom(room.code)
    #expect(try guest.refusal(of: .startGame(WireStartGame())).code == .hostOnly)
    try host.expectOk(.startGame(WireStartGame()))
    let spectator = try server.player("spectator")
    let seen = try spectator.joinRoom(room.code)
    #expect(seen.you.spectator == 0)
    #expect(seen.phase == .playing)
    #expect(try spectator.refusal(of: .move(TestPlayer.move(0, 0))).code == .seatNeeded)
    try spectator.expectOk(.chat(TestPlayer.chat("보고 있어요")))
  }

  @Test("A player who leaves is out of the room, and may join another")
  func leaving() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try server.player("guest")
    let room = try host.createRoom()
    _ = try guest.joinRoom(room.code)
    try guest.expectOk(.leaveRoom(WireLeaveRoom()))
    try server.passTick()
    let left = try host.event { $0.left.seat == 1 && $0.body.isLeft }
    #expect(left.number > room.lastEvent)
    let own = try guest.createRoom()
    #expect(own.code != room.code)
  }

  @Test("A solo room with spectators, or with waits of its own, is refused")
  func soloWithStraySettings() throws {
    let server = try TestServer()
    let player = try server.player("solo")
    var create = WireCreateRoom()
    create.solo = true
    create.spectators = true
    let error = try player.refusal(of: .createRoom(create))
    #expect(error.code == .outOfRange && error.message.hasPrefix("spectators"))
    create.spectators = false
    create.holdS = 30
    #expect(try player.refusal(of: .createRoom(create)).message.hasPrefix("lateS, holdS"))
    create.clearHoldS()
    guard case .room = try player.request(.createRoom(create)) else { throw TestFailure("no room") }
  }

  @Test("A solo room has no code, starts with one, and can't be found by its code")
  func solo() throws {
    let server = try TestServer()
    let player = try server.player("solo")
    let room = try player.createRoom { $0.solo = true }
    #expect(room.code.isEmpty)
    #expect(room.joinURL.isEmpty)
    try player.expectOk(.startGame(WireStartGame()))
  }
}

extension WireEvent.OneOf_Body? {
  /// True for `left`, and not for another event with its default.
  var isLeft: Bool { if case .left = self { true } else { false } }
  var isHeld: Bool { if case .held = self { true } else { false } }
  var isBack: Bool { if case .back = self { true } else { false } }
  var isChat: Bool { if case .chat = self { true } else { false } }
}
