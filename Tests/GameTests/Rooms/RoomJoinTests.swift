// Places in a room on joining: seats, late comers, nicknames.
import Game
import Testing

@Suite("Rooms: joining")
struct RoomJoinTests {
  @Test("The first player to join has seat 0 and is the host")
  func creator() throws {
    var test = try TestRoom()
    #expect(test.room.hostSeat == nil)
    #expect(test.join(0) == .joined(.seat(0)))
    #expect(test.effects.outputs == [.placed(TestRoom.player(0), .seat(0))])
    #expect(test.room.hostSeat == 0)
    #expect(test.bodies() == [.joined(TestRoom.member(0, .seat(0))), .host(seat: 0)])
    #expect(test.room.members == [TestRoom.member(0, .seat(0))])
    #expect(test.room.place(of: TestRoom.player(0)) == .seat(0))
    #expect(test.room.place(of: TestRoom.player(1)) == nil)
    #expect(test.room.member(at: .seat(0)) == TestRoom.member(0, .seat(0)))
    #expect(test.room.member(at: .seat(1)) == nil)
    #expect(test.room.member(at: .seat(99)) == nil)
  }

  @Test("A full lobby refuses the fifth player")
  func fullLobby() throws {
    var test = try TestRoom(players: 4)
    #expect(test.places() == [.seat(0), .seat(1), .seat(2), .seat(3)])
    #expect(test.join(4) == .refused(.roomFull))
    #expect(test.room.members.count == 4)
  }

  @Test("In the lobby the smallest free seat is given")
  func smallestSeat() throws {
    var test = try TestRoom(players: 3)
    test.apply(.leave(.seat(1)))
    #expect(test.join(7) == .joined(.seat(1)))
    #expect(test.join(8) == .joined(.seat(3)))
  }

  @Test("A connected member can't join again")
  func twice() throws {
    var test = try TestRoom(players: 2)
    #expect(test.join(1) == .refused(.alreadyInRoom))
    #expect(test.room.members.count == 2)
  }

  @Test("An invalid nickname is refused and changes nothing")
  func badNickname() throws {
    var test = try TestRoom(players: 1)
    #expect(test.join(1, nickname: " ") == .refused(.badText("the text is only white space")))
    #expect(test.room.members.count == 1)
    #expect(test.room.lastEventNumber == 2)
  }

  @Test("A duplicate nickname is shown with the smallest free number")
  func sameNickname() throws {
    var test = try TestRoom()
    for number in 0..<3 { test.join(number, nickname: " 지민") }
    #expect(test.room.members.map(\.nickname) == ["지민", "지민 2", "지민 3"])
    test.apply(.leave(.seat(1)))
    test.join(5, nickname: "지민")
    #expect(test.room.member(at: .seat(1))?.nickname == "지민 2")
    test.join(6, nickname: "지민 3")
    #expect(test.room.member(at: .seat(3))?.nickname == "지민 3 2")
  }

  @Test("A late joiner is a spectator with the smallest free number, visible to the players")
  func lateComer() throws {
    var test = try TestRoom(players: 2)
    test.start()
    #expect(test.join(2) == .joined(.spectator(0)))
    #expect(test.effects.outputs == [.placed(TestRoom.player(2), .spectator(0))])
    #expect(test.join(3) == .joined(.spectator(1)))
    #expect(test.places() == [.seat(0), .seat(1), .spectator(0), .spectator(1)])
    #expect(test.bodies().last == .joined(TestRoom.member(3, .spectator(1))))
    test.apply(.leave(.spectator(0)))
    #expect(test.join(4) == .joined(.spectator(0)))
  }

  @Test("A small room has at most four spectators, a large one as many as seats", arguments: [2: 4, 4: 4, 6: 6])
  func spectatorBound(capacity: Int, watching: Int) throws {
    var test = try TestRoom(capacity: capacity, players: 2)
    test.start()
    for number in 0..<watching { #expect(test.join(10 + number) == .joined(.spectator(number))) }
    #expect(test.join(99) == .refused(.roomFull))
  }

  @Test("Without spectators a late joiner is refused while a game runs or its board is shown")
  func noSpectators() throws {
    var test = try TestRoom(spectators: false, players: 2)
    test.start()
    #expect(test.join(2) == .refused(.gameOn))
    test.wait(.seconds(60))
    #expect(test.join(2) == .refused(.gameOn))
    #expect(test.room.phase == .ended)
    test.wait(.seconds(60))
    #expect(test.join(2) == .joined(.seat(2)))
  }

  @Test("While the board is shown a newcomer is a spectator, even if a seat is free")
  func endedNewcomer() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.wait(.seconds(60))
    test.tick()
    #expect(test.join(2) == .joined(.spectator(0)))
  }

  @Test("Spectators take free seats at the next lobby in order of arrival")
  func seating() throws {
    var test = try TestRoom(capacity: 3, players: 2)
    test.start()
    test.join(5)
    test.join(6)
    test.apply(.leave(.spectator(0)))
    test.join(7)
    #expect(test.places() == [.seat(0), .seat(1), .spectator(0), .spectator(1)])
    test.wait(.seconds(60))
    test.apply(.tick(through: .max))
    let before = test.room.lastEventNumber
    #expect(test.apply(.playAgain(.seat(0))) == .ok)
    #expect(test.effects.outputs == [.placed(TestRoom.player(6), .seat(2))])
    #expect(
      test.bodies(after: before) == [.phase(.lobby), .left(.spectator(1)), .joined(TestRoom.member(6, .seat(2)))]
    )
    #expect(test.room.place(of: TestRoom.player(7)) == .spectator(0))
  }

  @Test("A spectator who got no seat takes the first free one in the lobby, before any newcomer")
  func waitingSpectator() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.start()
    test.join(5)
    test.wait(.seconds(60))
    test.apply(.playAgain(.seat(0)))
    #expect(test.join(6) == .refused(.roomFull))
    let before = test.room.lastEventNumber
    test.apply(.leave(.seat(0)))
    #expect(
      test.bodies(after: before) == [
        .left(.seat(0)), .host(seat: 1), .left(.spectator(0)), .joined(TestRoom.member(5, .seat(0))),
      ]
    )
    #expect(test.join(6) == .refused(.roomFull))
  }

  @Test("A disconnected spectator is skipped, and seated on reconnecting")
  func heldSpectator() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.start()
    test.join(5)
    test.join(6)
    test.wait(.seconds(59))
    test.apply(.lose(.spectator(0)))
    test.apply(.leave(.seat(1)))
    test.apply(.playAgain(.seat(0)))
    #expect(test.room.place(of: TestRoom.player(6)) == .seat(1))
    test.apply(.leave(.seat(0)))
    #expect(test.room.place(of: TestRoom.player(5)) == .spectator(0))
    #expect(test.join(5) == .joined(.seat(0)))
    #expect(test.effects.outputs == [.placed(TestRoom.player(5), .seat(0))])
    #expect(test.room.hostSeat == 1)
  }

  @Test("Spectators can't start, play again or move, but can chat and read")
  func spectatorsMayNot() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.join(5)
    let place = Place.spectator(0)
    #expect(test.apply(.startGame(place)) == .refused(.seatNeeded))
    #expect(test.apply(.playAgain(place)) == .refused(.seatNeeded))
    #expect(test.apply(.move(place, Yard.fix())) == .refused(.seatNeeded))
    #expect(test.apply(.chat(place, text: "안녕")) == .ok)
    #expect(test.apply(.readChat(place, upTo: 1)) == .ok)
  }
}
