// Players who are barred from a room: by rule, and over a journal.
import Game
import Testing

@Suite("Rooms: bars")
struct RoomBarTests {
  private func isBarred(_ number: Int, from room: Room) -> Bool {
    var room = room
    var effects = Effects()
    room.apply(.join(TestRoom.player(number), nickname: "p\(number)"), at: room.latest, into: &effects)
    return effects.answer == .refused(.barred)
  }

  @Test("A barred player leaves at once, and can't join any more; another takes the seat")
  func member() throws {
    var test = try TestRoom(players: 3)
    let before = test.room.lastEventNumber
    #expect(test.apply(.bar(TestRoom.player(1))) == .ok)
    #expect(test.effects.outputs == [.removed(TestRoom.player(1), .seat(1))])
    #expect(test.bodies(after: before) == [.left(.seat(1))])
    #expect(isBarred(1, from: test.room) && !isBarred(2, from: test.room))
    #expect(test.join(1) == .refused(.barred))
    #expect(test.join(1, nickname: "\u{7}") == .refused(.barred), "whatever else is wrong")
    #expect(test.join(7) == .joined(.seat(1)))
  }

  @Test("A player can be barred who is not in the room, and a second bar changes nothing")
  func stranger() throws {
    var test = try TestRoom(players: 1)
    let before = test.room.lastEventNumber
    for _ in 0..<2 {
      #expect(test.apply(.bar(TestRoom.player(5))) == .ok)
      #expect(test.effects.outputs.isEmpty && test.bodies(after: before).isEmpty)
    }
    #expect(test.join(5) == .refused(.barred))
  }

  @Test("A held player who is barred loses the place; a barred host passes the part on")
  func heldHost() throws {
    var test = try TestRoom(players: 3)
    test.apply(.lose(.seat(0)))
    let before = test.room.lastEventNumber
    #expect(test.apply(.bar(TestRoom.player(0))) == .ok)
    #expect(test.bodies(after: before) == [.left(.seat(0)), .host(seat: 1)])
    #expect(test.join(0) == .refused(.barred))
  }

  @Test("A bar in a game counts as a leave: with too few players left the game ends")
  func game() throws {
    var test = try TestRoom(players: 2)
    test.start()
    #expect(test.apply(.bar(TestRoom.player(1))) == .ok)
    #expect(test.effects.outputs.contains { if case .gameEnded = $0 { true } else { false } })
    #expect(test.room.phase == .ended)
  }

  @Test("Only the newest bars are kept of very many")
  func bound() throws {
    var test = try TestRoom(players: 1)
    for number in 10...266 { test.apply(.bar(TestRoom.player(number))) }
    #expect(test.join(11) == .refused(.barred) && test.join(266) == .refused(.barred))
    #expect(test.join(10) == .joined(.seat(1)))
  }

  @Test("Bars outlive a recovery, from inputs and from a snapshot; the same journal gives the same room")
  func journal() throws {
    for hasSnapshot in [false, true] {
      var journal = TestJournal(try RoomConfiguration(capacity: 4, accountsOnly: true, consent: true))
      journal.apply(.join(TestRoom.player(0), nickname: "지민"))
      journal.apply(.join(TestRoom.player(1), nickname: "가람"))
      journal.apply(.bar(TestRoom.player(1)))
      journal.apply(.bar(TestRoom.player(2)))
      if hasSnapshot { journal.snapshot() }
      journal.cut()
      let recovered = try #require(try RoomRecovery(from: journal.bytes)).room
      #expect(TestJournal.state(recovered) == TestJournal.state(journal.room))
      for number in 1...2 { #expect(isBarred(number, from: recovered)) }
      #expect(!isBarred(0, from: recovered) && recovered.hostSeat == 0)
      #expect(recovered.configuration.accountsOnly && recovered.configuration.consent)
      #expect(!recovered.configuration.hostOnly)
    }
  }

  @Test("A game that is played with bars in the room is replayed to the same result")
  func replay() throws {
    var journal = TestJournal(try RoomConfiguration(capacity: 3, duration: .seconds(10)))
    for number in 0..<3 { journal.apply(.join(TestRoom.player(number), nickname: "p\(number)")) }
    journal.apply(.bar(TestRoom.player(9)))
    journal.apply(.startGame(.seat(0)))
    journal.wait(.seconds(1))
    journal.apply(.bar(TestRoom.player(2)))
    journal.wait(.seconds(20))
    journal.apply(.tick(through: .max))
    journal.cut()
    let result = try #require(journal.results.first)
    #expect(try TestJournal.replayed(1, in: journal.bytes) == result)
    #expect(result.board.last?.id == TestRoom.player(2) && result.board.last?.completed == false)
  }
}
