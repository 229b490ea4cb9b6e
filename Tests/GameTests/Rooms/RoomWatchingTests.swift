// Spectators who come in to watch alone: they never have a seat, whatever the room does.
import Game
import Testing

@Suite("Rooms: watching alone")
struct RoomWatchingTests {
  @discardableResult
  private func watch(_ number: Int, _ test: inout TestRoom) -> Effects.Answer {
    test.apply(.watch(TestRoom.player(number), nickname: "player \(number)"))
  }

  @Test("A player who watches alone is a spectator in a lobby with free seats, and all are told")
  func lobby() throws {
    var test = try TestRoom(players: 1)
    let before = test.room.lastEventNumber
    #expect(watch(7, &test) == .joined(.spectator(0)))
    let member = Member(id: TestRoom.player(7), place: .spectator(0), nickname: "player 7", isWatching: true)
    #expect(test.bodies(after: before) == [.joined(member)])
    #expect(test.room.member(at: .spectator(0)) == member)
    #expect(test.apply(.startGame(.spectator(0))) == .refused(.seatNeeded))
  }

  @Test("A player who watches alone gets no seat in the next lobby; one who came too late does")
  func nextLobby() throws {
    var test = try TestRoom(duration: .seconds(10), players: 2)
    #expect(watch(7, &test) == .joined(.spectator(0)))
    test.start()
    #expect(test.join(5) == .joined(.spectator(1)))
    #expect(watch(8, &test) == .joined(.spectator(2)))
    test.wait(.seconds(10))
    test.tick()
    #expect(test.apply(.playAgain(.seat(0))) == .ok)
    #expect(test.places() == [.seat(0), .seat(1), .seat(2), .spectator(0), .spectator(2)])
  }

  @Test("A seat that becomes free, a lost connection and a restart give the player who watches no seat")
  func comingsAndGoings() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    watch(7, &test)
    test.apply(.lose(.spectator(0)))
    test.apply(.leave(.seat(1)))
    #expect(test.apply(.comeBack(.spectator(0))) == .ok)
    #expect(test.places() == [.seat(0), .spectator(0)])
    test.apply(.restart(downtime: .seconds(5)))
    #expect(watch(7, &test) == .joined(.spectator(0)))
    #expect(test.join(0) == .joined(.seat(0)))
    #expect(test.places() == [.seat(0), .spectator(0)])
  }

  @Test("A room where nobody has a seat has no host, and its next player with a seat becomes the host")
  func host() throws {
    var test = try TestRoom()
    #expect(watch(7, &test) == .joined(.spectator(0)))
    #expect(test.room.hostSeat == nil)
    #expect(test.join(0) == .joined(.seat(0)))
    #expect(test.room.hostSeat == 0)
  }

  @Test("A held place is given back as it was: a spectator who watches alone stays one, a player keeps the seat")
  func heldPlaces() throws {
    var test = try TestRoom(players: 2)
    watch(7, &test)
    test.apply(.lose(.spectator(0)))
    #expect(test.join(7) == .joined(.spectator(0)))
    #expect(test.room.member(at: .spectator(0))?.isWatching == true)
    test.apply(.lose(.seat(1)))
    #expect(watch(1, &test) == .joined(.seat(1)))
    #expect(test.room.member(at: .seat(1))?.isWatching == false)
  }

  @Test("A player who has left a running game may watch it, and has the seat back when they join again")
  func formerPlayer() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.move(2, Yard.fix())
    test.apply(.leave(.seat(2)))
    #expect(watch(2, &test) == .joined(.spectator(0)))
    test.apply(.leave(.spectator(0)))
    #expect(test.join(2) == .joined(.seat(2)))
    #expect(test.points()[2] == 1)
  }

  @Test("Spectators of both kinds share one bound, and a room without spectators refuses in every phase")
  func bounds() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    for number in 0..<4 { #expect(watch(10 + number, &test) == .joined(.spectator(number))) }
    #expect(watch(99, &test) == .refused(.roomFull))
    var closed = try TestRoom(duration: .seconds(10), spectators: false, players: 2)
    #expect(watch(7, &closed) == .refused(.noSpectators))
    closed.start()
    #expect(watch(7, &closed) == .refused(.noSpectators))
    closed.wait(.seconds(10))
    closed.tick()
    #expect(watch(7, &closed) == .refused(.noSpectators))
    #expect(closed.room.members.count == 2)
  }

  @Test("A journal keeps who watches alone, as an input, in events and in a snapshot")
  func journal() throws {
    var journal = TestJournal(try RoomConfiguration(capacity: 2))
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.watch(TestRoom.player(7), nickname: "화면"))
    journal.refuse(.watch(TestRoom.player(7), nickname: "금지어"))
    journal.cut()
    for _ in 0..<2 {
      let recovery = try #require(try RoomRecovery(from: journal.bytes))
      #expect(TestJournal.state(recovery.room) == TestJournal.state(journal.room))
      #expect(recovery.room.member(at: .spectator(0))?.isWatching == true)
      #expect(!String(decoding: journal.bytes, as: UTF8.self).contains("금지어"))
      var room = recovery.room
      var effects = Effects()
      room.apply(.restart(downtime: .zero), at: journal.now, into: &effects)
      room.apply(.comeBack(.spectator(0)), at: journal.now, into: &effects)
      #expect(room.place(of: TestRoom.player(7)) == .spectator(0))
      journal.snapshot()
      journal.cut()
    }
  }
}
