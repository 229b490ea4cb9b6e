// Leaving, being held, coming back, and the end of a room.
import Game
import Testing

@Suite("Rooms: leaving")
struct RoomLeaveTests {
  @Test("A player who leaves the lobby is removed at once, and the seat is free")
  func leave() throws {
    var test = try TestRoom(players: 2)
    let before = test.room.lastEventNumber
    #expect(test.apply(.leave(.seat(1))) == .ok)
    #expect(test.effects.outputs == [.removed(TestRoom.player(1), .seat(1))])
    #expect(test.bodies(after: before) == [.left(.seat(1))])
    #expect(test.apply(.leave(.seat(1))) == .refused(.notInRoom))
    #expect(test.join(9) == .joined(.seat(1)))
  }

  @Test("A lost connection's place is held for the room's hold, then freed", arguments: [Place.seat(1), .spectator(0)])
  func hold(place: Place) throws {
    var test = try TestRoom(duration: .seconds(120), holdS: 30, players: 3)
    test.start()
    test.join(5)
    let id = try #require(test.room.member(at: place)?.id)
    let lost = test.now
    #expect(test.apply(.lose(place)) == .ok)
    #expect(test.bodies().last == .held(place))
    #expect(test.room.member(at: place)?.isHeld == true)
    #expect(test.room.nextDeadline == lost + .seconds(30))
    test.wait(.milliseconds(29_999))
    test.tick()
    #expect(test.room.member(at: place)?.id == id)
    test.wait(.milliseconds(5_000))
    test.tick()
    #expect(test.effects.outputs == [.removed(id, place)])
    #expect(test.effects.tick.events.map(\.body) == [.left(place)])
    #expect(test.effects.tick.events.map(\.atMs) == [30_000])
    #expect(test.room.member(at: place) == nil)
  }

  @Test("A player who returns within the hold has the same place, also by joining again")
  func comeBack() throws {
    var test = try TestRoom(players: 2)
    for input in [Input.comeBack(.seat(1)), .join(TestRoom.player(1), nickname: "other")] {
      test.apply(.lose(.seat(1)))
      test.wait(.milliseconds(29_999))
      let before = test.room.lastEventNumber
      test.apply(input)
      #expect(test.bodies(after: before) == [.back(.seat(1))])
      #expect(test.room.members == [TestRoom.member(0, .seat(0)), TestRoom.member(1, .seat(1))])
      #expect(test.effects.outputs.isEmpty)
    }
    #expect(test.apply(.comeBack(.seat(1))) == .ok, "a second return changes nothing")
    #expect(test.effects.answer == .ok)
  }

  @Test("A join during the hold is answered with the place")
  func joinHeld() throws {
    var test = try TestRoom(players: 2)
    test.apply(.lose(.seat(1)))
    #expect(test.join(1) == .joined(.seat(1)))
  }

  @Test("A return after the hold has expired is refused, also where another has the seat now")
  func tooLate() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.start()
    test.join(5)
    test.wait(.seconds(60))
    test.apply(.playAgain(.seat(0)))
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(120))
    #expect(test.apply(.comeBack(.seat(1))) == .refused(.notInRoom))
    #expect(test.room.place(of: TestRoom.player(5)) == .seat(1))
    #expect(test.bodies().suffix(3) == [.left(.seat(1)), .left(.spectator(0)), .joined(TestRoom.member(5, .seat(1)))])
  }

  @Test("A spectator's input under the old place is accepted after a deadline has seated them")
  func stalePlace() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.join(5)
    test.wait(.seconds(120))
    #expect(test.apply(.chat(.spectator(0), text: "안녕")) == .ok)
    #expect(test.bodies().last == .chat(.seat(2), author: TestRoom.player(5), text: "안녕"))
    #expect(test.effects.outputs.last == .placed(TestRoom.player(5), .seat(2)))
  }

  @Test("A held member can only return or leave")
  func heldInputs() throws {
    var test = try TestRoom(players: 2)
    test.apply(.lose(.seat(1)))
    for input in [Input.lose(.seat(1)), .chat(.seat(1), text: "?"), .startGame(.seat(1)), .readChat(.seat(1), upTo: 0)]
    {
      #expect(test.apply(input) == .refused(.notInRoom))
    }
    #expect(test.apply(.leave(.seat(1))) == .ok)
  }

  @Test("During a game an abandoned seat stays reserved, and its player gets seat and points back")
  func sameSeat() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.move(1, Yard.fix())
    test.wait(.seconds(1))
    test.move(1, Yard.fix(northM: 6))
    test.apply(.leave(.seat(1)))
    #expect(test.join(5) == .joined(.spectator(0)))
    #expect(test.points() == [1: 2])
    let before = test.room.lastEventNumber
    #expect(test.join(1) == .joined(.seat(1)))
    #expect(test.bodies(after: before) == [.joined(TestRoom.member(1, .seat(1)))])
    test.wait(.seconds(1))
    test.move(1, Yard.fix(northM: 12))
    #expect(test.points() == [1: 3])
    test.wait(.seconds(60))
    test.tick()
    let row = try #require(test.room.board.first { $0.seat == 1 })
    #expect(row.completed && row.won && row.points == 3)
    #expect((11_980...12_020).contains(row.distanceMm))
  }

  @Test("A player whose hold expired during this game gets the seat back, too")
  func sameSeatAfterHold() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.apply(.lose(.seat(2)))
    test.wait(.seconds(31))
    #expect(test.join(2) == .joined(.seat(2)))
  }

  @Test("A player who left gets the same seat back while the board is shown, but not in the next lobby")
  func ownSeatAfterEnd() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.apply(.leave(.seat(2)))
    test.apply(.leave(.seat(1)))
    #expect(test.room.phase == .ended)
    #expect(test.join(2) == .joined(.seat(2)))
    test.apply(.playAgain(.seat(0)))
    #expect(test.join(1) == .joined(.seat(1)))
    test.apply(.leave(.seat(2)))
    #expect(test.join(9) == .joined(.seat(2)))
  }

  @Test("A room without connected members closes after 60 s, a game not before its last hold has ended")
  func close() throws {
    var running = try TestRoom(duration: .seconds(600), players: 2)
    running.start()
    running.apply(.lose(.seat(0)))
    running.wait(.seconds(20))
    running.apply(.lose(.seat(1)))
    running.wait(.milliseconds(119_999))
    running.tick()
    #expect(!running.room.isClosed)
    running.wait(.milliseconds(1))
    running.tick()
    #expect(running.room.isClosed)

    var test = try TestRoom(holdS: 30, players: 2)
    test.apply(.leave(.seat(0)))
    test.wait(.seconds(20))
    test.apply(.lose(.seat(1)))
    let deserted = test.now
    test.wait(.seconds(30))
    test.tick()
    #expect(test.room.members.isEmpty)
    #expect(test.room.nextDeadline == deserted + .seconds(60))
    test.wait(.seconds(30))
    test.tick()
    #expect(test.effects.outputs == [.closed])
    #expect(test.room.isClosed)
    #expect(test.room.nextDeadline == nil)
  }

  @Test("A connection within the 60 s keeps the room, and the next wait starts over")
  func keepOpen() throws {
    var test = try TestRoom(players: 1)
    test.apply(.leave(.seat(0)))
    test.wait(.milliseconds(59_999))
    #expect(test.join(3) == .joined(.seat(0)))
    test.wait(.seconds(300))
    test.tick()
    #expect(!test.room.isClosed)
    test.apply(.leave(.seat(0)))
    #expect(test.room.nextDeadline == test.now + .seconds(60))
  }

  @Test("A join just after the room closed is answered with its close")
  func joinClosed() throws {
    var test = try TestRoom()
    #expect(test.room.nextDeadline == test.now + .seconds(60))
    test.wait(.seconds(61))
    #expect(test.join(1) == .refused(.closed))
    #expect(test.effects.outputs == [.closed])
  }
}
