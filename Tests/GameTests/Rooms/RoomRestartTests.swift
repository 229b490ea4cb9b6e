// A restart of the server: the room's clocks stand still, holds begin anew, and the wall clock goes on.
import Game
import Testing

@Suite("Rooms: a restart")
struct RoomRestartTests {
  @Test("All connected members are held, seats before spectators, and return as after a lost connection")
  func held() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.join(7)
    test.apply(.lose(.seat(1)))
    let last = test.room.lastEventNumber
    test.wait(.seconds(20))
    #expect(test.apply(.restart(downtime: .seconds(20))) == .ok)
    #expect(test.bodies(after: last) == [.held(.seat(0)), .held(.seat(2)), .held(.spectator(0))])
    #expect(test.room.members.allSatisfy { $0.isHeld })
    #expect(test.apply(.move(.seat(0), Yard.fix())) == .refused(.notInRoom))
    #expect(test.apply(.comeBack(.seat(2))) == .ok)
    #expect(test.join(0) == .joined(.seat(0)))
    #expect(test.room.member(at: .seat(0))?.isHeld == false)
  }

  @Test("Running holds, the passing of the host role and the room's end are counted from the restart")
  func holdsRestart() throws {
    var test = try TestRoom(holdS: 30, players: 2)
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(9))
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(3_600))
    test.apply(.restart(downtime: .seconds(3_600)))
    test.apply(.comeBack(.seat(1)))
    let last = test.room.lastEventNumber
    test.wait(.milliseconds(9_999))
    test.tick()
    #expect(test.room.hostSeat == 0)
    test.wait(.milliseconds(1))
    test.tick()
    #expect(test.bodies(after: last) == [.host(seat: 1)])
    test.wait(.milliseconds(19_999))
    test.tick()
    #expect(test.places() == [.seat(0), .seat(1)])
    test.wait(.milliseconds(1))
    test.tick()
    #expect(test.places() == [.seat(1)])
  }

  @Test("A room without connected members closes a minute after the restart")
  func deserted() throws {
    for isLost in [false, true] {
      var test = try TestRoom(players: 1)
      if isLost { test.apply(.lose(.seat(0))) }
      test.wait(.seconds(59))
      test.apply(.restart(downtime: .zero))
      test.wait(.milliseconds(59_999))
      test.tick()
      #expect(!test.room.isClosed)
      test.wait(.milliseconds(1))
      test.tick()
      #expect(test.room.isClosed)
    }
  }

  @Test("A game continues where it stopped: its deadline, its players' times and its clock move on")
  func game() throws {
    var test = try TestRoom(duration: .seconds(60), players: 2)
    test.start()
    test.wait(.seconds(20))
    #expect(test.room.clockMs(at: test.now) == 20_000)
    test.wait(.seconds(500))
    test.apply(.restart(downtime: .seconds(500)))
    #expect(test.room.clockMs(at: test.now) == 20_000)
    #expect(test.room.endsAtMs == 60_000)
    test.apply(.comeBack(.seat(0)))
    test.apply(.comeBack(.seat(1)))
    test.wait(.milliseconds(39_999))
    test.tick()
    #expect(test.room.phase == .playing)
    test.wait(.milliseconds(1))
    test.tick()
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.time) == [.seconds(60), .seconds(60)])
    guard case .gameEnded(let result) = test.effects.outputs.first else { return #expect(Bool(false), "no result") }
    #expect(result.startedAt == TestRoom.made)
    #expect(result.endedAt == TestRoom.made + .seconds(560))
  }

  @Test("The board is shown for its remaining time")
  func board() throws {
    var test = try TestRoom(duration: .seconds(10), players: 2)
    test.start()
    test.wait(.seconds(20))
    test.tick()
    test.wait(.seconds(1_000))
    test.apply(.restart(downtime: .seconds(1_000)))
    test.apply(.comeBack(.seat(0)))
    test.wait(.milliseconds(49_999))
    test.tick()
    #expect(test.room.phase == .ended)
    test.wait(.milliseconds(1))
    test.tick()
    #expect(test.room.phase == .lobby)
  }

  @Test("Deadlines before the crash fire at their time, before any member is held")
  func ranOutBefore() throws {
    var test = try TestRoom(duration: .seconds(10), players: 2)
    test.start()
    let last = test.room.lastEventNumber
    test.wait(.seconds(100))
    test.apply(.restart(downtime: .seconds(88)))
    let events = test.room.events(after: last).events
    #expect(events.map(\.atMs) == [10_000, 12_000, 12_000])
    #expect(events.dropFirst().map(\.body) == [.held(.seat(0)), .held(.seat(1))])
    #expect(test.room.phase == .ended)
    #expect(test.effects.outputs.count == 1)
  }

  @Test("No clock stops for longer than the time since the newest input, nor runs backwards")
  func bounds() throws {
    var test = try TestRoom(players: 2)
    test.wait(.seconds(5))
    test.tick()
    test.wait(.seconds(3))
    test.apply(.restart(downtime: .seconds(1_000_000)))
    #expect(test.room.clockMs(at: test.now) == 5_000)
    test.apply(.restart(downtime: .seconds(-7)))
    #expect(test.room.clockMs(at: test.now) == 5_000)
  }

  @Test("Speeds are measured by the wall clock, so fixes of a player who kept walking are accepted")
  func wallClock() throws {
    var test = try TestRoom(duration: .seconds(60), players: 2)
    test.start()
    #expect(test.move(0, Yard.fix()) == nil)
    test.wait(.seconds(100))
    test.apply(.restart(downtime: .seconds(100)))
    test.apply(.comeBack(.seat(0)))
    #expect(test.move(0, Yard.fix(northM: 1_200)) == nil)
    #expect(test.points() == [0: 2])
  }

  @Test("Changes that no tick had carried are in no later tick: returning members get the whole state")
  func ticks() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.move(0, Yard.fix())
    test.apply(.readChat(.seat(0), upTo: 1))
    test.apply(.restart(downtime: .zero))
    let tick = test.tick()
    #expect(tick.events.map(\.body) == [.held(.seat(0)), .held(.seat(1))])
    #expect(tick.seats.isEmpty)
    #expect(tick.cursors.isEmpty)
    #expect(test.points() == [0: 1])
  }
}
