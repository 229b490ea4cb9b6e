// The end of a game whose fixes may still come: what the board waits for, and how long.
import Game
import Testing

@Suite("Rooms: the wait for late fixes")
struct RoomWaitTests {
  /// A shared game of a minute; player 1's connection is lost after 30 s.
  private static func shared() throws -> TestRoom {
    var test = try TestRoom(players: 2)
    test.start()
    test.wait(.seconds(30))
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(30))
    test.tick()
    return test
  }

  /// The ends of the games whose results the last input has brought.
  private static func ends(_ test: TestRoom) -> [Instant] {
    test.effects.outputs.compactMap { if case .gameEnded(let result) = $0 { result.endedAt } else { nil } }
  }

  private static func solo() throws -> TestRoom {
    var test = TestRoom(try RoomConfiguration(solo: true), players: 1)
    test.start()
    test.move(0, Yard.fix())
    test.wait(.seconds(30))
    return test
  }

  @Test("A shared board waits 20 s for a held player's fixes, which count up to the deadline")
  func sharedBoard() throws {
    var test = try Self.shared()
    #expect(test.room.phase == .playing)
    #expect(test.bodies().last == .timeUp(boardAtGameMs: 80_000))
    #expect(test.room.boardAtMs == 80_000)
    test.wait(.milliseconds(19_999))
    test.tick()
    #expect(test.room.phase == .playing)
    test.apply(.comeBack(.seat(1)))
    let began = TestRoom.made
    let fixes =
      [31, 59, 60].map { Yard.fix(northM: Double($0) * 10, time: began + .seconds($0)) }
      + [Yard.fix(northM: 700, time: began + .milliseconds(60_001))]
    #expect(test.moves(1, fixes) == [.accepted, .accepted, .accepted, .outsideGame])
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.seat) == [1, 0])
    #expect(test.room.board.map(\.points) == [3, 0])
    #expect(test.room.board.map(\.time) == [.seconds(60), .seconds(60)])
  }

  @Test("A board stands after 20 s at the latest, and its game has ended at the deadline")
  func boardDeadline() throws {
    var test = try Self.shared()
    test.wait(.seconds(20))
    test.tick()
    #expect(test.room.phase == .ended)
    #expect(Self.ends(test) == [TestRoom.made + .seconds(60)])
    #expect(test.room.board.map(\.completed) == [true, true])
  }

  @Test("Nobody waits for a player who was lost behind the end, has told all, or has been back for 20 s")
  func noWait() throws {
    for hasTold in [true, false] {
      var test = try TestRoom(players: 2)
      test.start()
      test.apply(.lose(.seat(1)))
      test.wait(.seconds(hasTold ? 55 : 40))
      test.apply(.comeBack(.seat(1)))
      if hasTold { test.moves(1, []) }
      test.wait(.seconds(hasTold ? 5 : 20))
      test.tick()
      #expect(test.room.phase == .ended)
    }
    var test = try Self.shared()
    test.apply(.lose(.seat(0)))
    test.apply(.comeBack(.seat(1)))
    test.moves(1, [])
    #expect(test.room.phase == .ended)
  }

  @Test("A live fix shows that no older one is kept")
  func liveFix() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(58))
    test.apply(.comeBack(.seat(1)))
    test.wait(.seconds(1))
    test.move(1, Yard.fix(time: test.now))
    test.wait(.seconds(1))
    test.tick()
    #expect(test.room.phase == .ended)
  }

  @Test("A player who says that there are more is waited for")
  func more() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.wait(.seconds(59))
    test.moves(1, [Yard.fix(time: TestRoom.made + .seconds(1))], hasMore: true)
    test.wait(.seconds(1))
    test.tick()
    #expect(test.room.phase == .playing)
    test.moves(1, [])
    #expect(test.room.phase == .ended)
  }

  @Test("A player who leaves behind the end has stayed to the end, and nobody waits for them any more")
  func leave() throws {
    var test = try Self.shared()
    test.apply(.leave(.seat(1)))
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.completed) == [true, true])
  }

  @Test("A solo player without a connection is waited for 10 min, whatever the hold; at the end all counts")
  func solo() throws {
    var test = try Self.solo()
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(629))
    test.tick()
    #expect(test.room.phase == .playing)
    #expect(test.room.member(at: .seat(0))?.isHeld == true)
    test.apply(.comeBack(.seat(0)))
    let fixes = (1...60).map { Yard.fix(northM: Double($0) * 6, time: TestRoom.made + .seconds($0)) }
    test.moves(0, Array(fixes[..<30]), hasMore: true)
    #expect(test.room.phase == .playing)
    test.moves(0, Array(fixes[30...]))
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.points) == [61])

    test = try Self.solo()
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(630))
    test.tick()
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.points) == [1])
    #expect(test.room.board.map(\.time) == [.seconds(60)])
  }

  @Test("A solo player who is silent may be in a stall: the result waits 30 s, or 10 min once they are lost")
  func silence() throws {
    for isLost in [false, true] {
      var test = try Self.solo()
      test.wait(.seconds(30))
      test.tick()
      #expect(test.room.phase == .playing)
      #expect(test.room.boardAtMs == 90_000)
      test.wait(.seconds(20))
      if isLost { test.apply(.lose(.seat(0))) }
      test.wait(.seconds(10))
      test.tick()
      #expect(test.room.phase == (isLost ? .playing : .ended))
      #expect(test.room.boardAtMs == (isLost ? 660_000 : nil))
    }
    var test = try Self.solo()
    test.wait(.seconds(29))
    test.move(0, Yard.fix())
    test.wait(.seconds(1))
    test.tick()
    #expect(test.room.phase == .ended, "no gap")
  }

  @Test("The wait is in the room's written state, and a restart of the server prolongs it")
  func restart() throws {
    var test = try Self.shared()
    test.wait(.seconds(100))
    test.apply(.restart(downtime: .seconds(100)))
    #expect(test.room.phase == .playing)
    var reader = JournalReader(TestJournal.state(test.room))
    guard case .snapshot(let copy)? = try reader.next() else {
      Issue.record("no state")
      return
    }
    #expect(copy.boardAtMs == test.room.boardAtMs)
    #expect(TestJournal.state(copy) == TestJournal.state(test.room))
    test.apply(.comeBack(.seat(1)))
    #expect(test.moves(1, [Yard.fix(time: TestRoom.made + .seconds(50))]) == [.accepted])
    #expect(test.room.phase == .ended)
    #expect(Self.ends(test) == [TestRoom.made + .seconds(60)])
  }
}
