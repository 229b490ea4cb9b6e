// The host's acts on who is in a room: by rule, and over a journal.
import Game
import Testing

@Suite("Rooms: the host's removals and locks")
struct RoomEntryTests {
  // Removals.

  @Test("The host removes a player and a spectator, who can't join any more; the events say whose act it was")
  func kick() throws {
    var test = try TestRoom(capacity: 3, players: 3)
    test.start()
    test.join(3)
    for (number, place) in [(1, Place.seat(1)), (3, Place.spectator(0))] {
      let before = test.room.lastEventNumber
      #expect(test.apply(.kick(.seat(0), TestRoom.player(number))) == .ok)
      #expect(test.effects.outputs == [.removed(TestRoom.player(number), place)])
      #expect(test.bodies(after: before) == [.kicked(place), .left(place)])
      #expect(test.join(number) == .refused(.barred))
    }
    #expect(test.room.phase == .playing && test.room.memberCount == 2)
  }

  @Test("Nobody but the host removes anybody; the host removes neither themselves nor a player who is elsewhere")
  func refusals() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.start()
    test.join(2)
    let before = test.room.lastEventNumber
    #expect(test.apply(.kick(.seat(1), TestRoom.player(0))) == .refused(.hostOnly))
    #expect(test.apply(.kick(.spectator(0), TestRoom.player(1))) == .refused(.hostOnly))
    #expect(test.apply(.kick(.seat(0), TestRoom.player(0))) == .refused(.oneself))
    #expect(test.apply(.kick(.seat(0), TestRoom.player(9))) == .refused(.noSuchMember))
    #expect(test.apply(.kick(.seat(5), TestRoom.player(1))) == .refused(.notInRoom))
    #expect(test.bodies(after: before).isEmpty && test.room.memberCount == 3)
    #expect(test.join(9) != .refused(.barred))
  }

  @Test("A removed player's points stay and rank; the player has not completed the game, and may win it")
  func board() throws {
    var test = try TestRoom(capacity: 3, duration: .seconds(60), players: 3)
    test.start()
    for step in 0..<5 {
      test.move(1, Yard.fix(northM: 10 * Double(step)))
      if step < 2 { test.move(0, Yard.fix(northM: 10 * Double(step), eastM: 50)) }
      test.wait(.seconds(2))
    }
    // One who leaves by their own act ranks below all others, whatever their points.
    #expect(test.apply(.kick(.seat(0), TestRoom.player(1))) == .ok)
    #expect(test.apply(.leave(.seat(2))) == .ok)
    let board = test.room.board
    #expect(test.room.phase == .ended && board.map(\.seat) == [1, 0, 2])
    #expect(board[0].points > board[1].points && board[0].won && !board[0].completed)
    #expect(!board[1].won && board[1].completed)
  }

  @Test("A locked room opens as the last who may host it leaves; a screen is nobody's host, a held player is one")
  func lockWithoutHost() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.apply(.watch(TestRoom.player(7), nickname: "screen"))
    #expect(test.apply(.lock(.seat(0), true)) == .ok)
    test.apply(.lose(.seat(1)))
    test.apply(.leave(.seat(0)))
    #expect(test.room.isLocked && test.room.hasPeople)
    let before = test.room.lastEventNumber
    test.apply(.leave(.seat(1)))
    #expect(test.bodies(after: before) == [.left(.seat(1)), .host(seat: nil), .locked(false)])
    #expect(!test.room.isLocked && !test.room.hasPeople && test.room.memberCount == 1)
    #expect(test.join(8) == .joined(.seat(0)) && test.room.hostSeat == 0)
  }

  @Test("In the lobby the freed seat goes to whoever comes next; a held player is removed all the same")
  func lobby() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.apply(.lose(.seat(1)))
    #expect(test.apply(.kick(.seat(0), TestRoom.player(1))) == .ok)
    #expect(test.apply(.comeBack(.seat(1))) == .refused(.notInRoom))
    #expect(test.join(2) == .joined(.seat(1)))
    #expect(test.join(1) == .refused(.barred))
  }

  // Locks.

  @Test("A locked room takes no newcomer, neither to a seat nor to watch; held players come back")
  func lock() throws {
    var test = try TestRoom(capacity: 4, players: 3)
    #expect(!test.room.isLocked)
    let before = test.room.lastEventNumber
    #expect(test.apply(.lock(.seat(0), true)) == .ok && test.apply(.lock(.seat(0), true)) == .ok)
    #expect(test.room.isLocked && test.bodies(after: before) == [.locked(true)])
    #expect(test.join(7) == .refused(.locked))
    test.apply(.lose(.seat(1)))
    #expect(test.join(1) == .joined(.seat(1)))
    test.start()
    #expect(test.join(7) == .refused(.locked))
    // A player who has left by their own act is a newcomer, also to a seat of the running game.
    #expect(test.apply(.leave(.seat(2))) == .ok && test.join(2) == .refused(.locked))
    let opened = test.room.lastEventNumber
    #expect(test.apply(.lock(.seat(0), false)) == .ok)
    #expect(test.bodies(after: opened) == [.locked(false)])
    #expect(test.join(2) == .joined(.seat(2)) && test.join(7) == .joined(.spectator(0)))
  }

  @Test("Spectators of a locked room take seats in the lobby; only the host locks, and the next host opens")
  func nextHost() throws {
    var test = try TestRoom(capacity: 2, duration: .seconds(10), players: 2)
    test.start()
    test.join(2)
    #expect(test.apply(.lock(.seat(1), true)) == .refused(.hostOnly))
    #expect(test.apply(.lock(.spectator(0), true)) == .refused(.hostOnly))
    #expect(test.apply(.lock(.seat(0), true)) == .ok)
    #expect(test.apply(.leave(.seat(0))) == .ok)
    #expect(test.apply(.playAgain(.seat(1))) == .ok)
    #expect(test.places() == [.seat(0), .seat(1)] && test.room.isLocked)
    #expect(test.apply(.lock(.seat(1), false)) == .ok && !test.room.isLocked)
  }

  // The journal.

  @Test("Removals and locks outlive a recovery, from inputs and from a snapshot, each with and without the other")
  func journal() throws {
    for (kicks, locks, hasSnapshot) in [
      (false, true, false), (false, true, true), (true, false, true), (true, true, false), (true, true, true),
    ] {
      var journal = TestJournal(try RoomConfiguration(capacity: 4))
      for number in 0..<3 { journal.apply(.join(TestRoom.player(number), nickname: "p\(number)")) }
      if kicks { journal.apply(.kick(.seat(0), TestRoom.player(1))) }
      if locks { journal.apply(.lock(.seat(0), true)) }
      if hasSnapshot { journal.snapshot() }
      journal.cut()
      let recovered = try #require(try RoomRecovery(from: journal.bytes)).room
      #expect(TestJournal.state(recovered) == TestJournal.state(journal.room))
      #expect(recovered.isLocked == locks && recovered.hostSeat == 0)
      var room = recovered
      var effects = Effects()
      room.apply(.join(TestRoom.player(1), nickname: "p1"), at: room.latest, into: &effects)
      #expect(effects.answer == .refused(kicks ? .barred : locks ? .locked : .alreadyInRoom) || !kicks)
      room.apply(.join(TestRoom.player(8), nickname: "p8"), at: room.latest, into: &effects)
      #expect((effects.answer == .refused(.locked)) == locks)
    }
  }

  @Test("A game with removals and locks is replayed to the same result")
  func replay() throws {
    var journal = TestJournal(try RoomConfiguration(capacity: 3, duration: .seconds(10)))
    for number in 0..<3 { journal.apply(.join(TestRoom.player(number), nickname: "p\(number)")) }
    journal.apply(.lock(.seat(0), true))
    journal.apply(.startGame(.seat(0)))
    journal.wait(.seconds(1))
    journal.apply(.kick(.seat(0), TestRoom.player(2)))
    journal.apply(.lock(.seat(0), false))
    journal.wait(.seconds(20))
    journal.apply(.tick(through: .max))
    journal.cut()
    let result = try #require(journal.results.first)
    #expect(try TestJournal.replayed(1, in: journal.bytes) == result)
    #expect(result.board.first { $0.id == TestRoom.player(2) }?.completed == false)
  }
}
