// Erasure of a player's track from a running room: the room is then, byte for byte, that of a player who was elsewhere.
import Game
import Testing

@Suite("Rooms: erasing a player's track")
struct TrackErasureTests {
  /// The state of the game and its players when player 1, who played in seat 1, is erased.
  enum Moment: CaseIterable {
    case playing, playingAndGone, board, lobby, lobbyAndGone, lobbyWithAnother, nextGame
  }

  /// A room in which player 1 has walked 12 m north, scored three times and jumped once, this far east of a
  /// corner.
  private func room(_ moment: Moment, eastE7: Int32) throws -> TestRoom {
    var test = try TestRoom(duration: .seconds(20), players: 3)
    test.start()
    for step in Int32(0)...2 {
      test.wait(.seconds(1))
      test.move(0, Yard.fix(northM: Double(step) * 7))
      test.move(1, Fix(latE7: 375_000_000 + step * 540, lngE7: 1_267_000_000 + eastE7, accuracyM: 5))
    }
    test.wait(.seconds(1))
    #expect(test.move(1, Fix(latE7: 375_900_000, lngE7: 1_267_000_000 + eastE7, accuracyM: 5)) == .setAside)
    test.wait(.seconds(1))
    if moment == .playing { return test }
    if moment == .playingAndGone { test.apply(.leave(.seat(1))) }
    if moment == .playingAndGone { return test }
    test.wait(.seconds(20))
    test.tick()
    if moment == .board { return test }
    test.apply(.playAgain(.seat(0)))
    if moment == .lobby { return test }
    if moment == .nextGame { test.start() }
    if moment == .nextGame { return test }
    test.apply(.leave(.seat(1)))
    if moment == .lobbyWithAnother { test.join(5) }
    return test
  }

  @Test("The remaining state is the same, whatever the track was", arguments: Moment.allCases)
  func sameBytes(moment: Moment) throws {
    var here = try room(moment, eastE7: 0)
    var there = try room(moment, eastE7: 50_000)
    #expect(TestJournal.state(here.room) != TestJournal.state(there.room))
    here.apply(.erase(TestRoom.player(1)))
    there.apply(.erase(TestRoom.player(1)))
    #expect(TestJournal.state(here.room) == TestJournal.state(there.room))
    #expect(here.room.footprints(seat: 1).isEmpty)
    #expect(here.points() == (moment == .nextGame ? [:] : [0: 3]))
    #expect(here.tick().seats.allSatisfy { $0 == 0 })
  }

  @Test("Points and distance stay on the board, as numbers")
  func numbersStay() throws {
    var test = try room(.playingAndGone, eastE7: 0)
    test.apply(.erase(TestRoom.player(1)))
    test.wait(.seconds(20))
    test.tick()
    let row = try #require(test.room.board.first { $0.id == TestRoom.player(1) })
    #expect(row.points == 3 && row.nickname == "…")
    #expect((11_900...12_100).contains(row.distanceMm))
  }

  @Test("A player who stays continues to score, never less than before; the next fix scores like a first one")
  func playsOn() throws {
    var test = try room(.playing, eastE7: 0)
    test.apply(.erase(TestRoom.player(1)))
    // Further than a player with known fixes could have come in a second.
    test.move(1, Yard.fix(northM: 5_000))
    #expect(test.points() == [0: 3, 1: 4])
  }

  @Test("A room written for a game's beginning shows nothing of the game before, and the game is the same")
  func clearedForStart() throws {
    var here = try room(.lobbyAndGone, eastE7: 0)
    let there = try room(.lobbyAndGone, eastE7: 50_000)
    let (cleared, clearedThere) = (here.room.clearedForStart, there.room.clearedForStart)
    #expect(TestJournal.state(here.room) != TestJournal.state(there.room))
    #expect(TestJournal.state(cleared) == TestJournal.state(clearedThere))
    var game = cleared
    var effects = Effects()
    game.apply(.startGame(.seat(0)), at: here.now, into: &effects)
    here.start()
    #expect(TestJournal.state(game) == TestJournal.state(here.room))
  }
}
