// Suspicion: its causes, its cost, and an honest player's way out of it.
import Game
import Testing

@Suite("Positions: suspicion")
struct SuspicionTests {
  @Test("Three findings within 60 s make a player suspect; three over a longer time do not")
  func suspect() throws {
    for (waitMs, isSuspect) in [(29_999, true), (30_000, false)] {
      var test = try PositionsTests.game()
      for count in 1...3 {
        test.move(0, Yard.fix(mocked: true))
        let expected = isSuspect && count == 3
        #expect(test.effects.outputs == [.verdict(.seat(0), .mocked, suspect: expected)])
        #expect(test.room.isSuspect(seat: 0) == expected)
        test.wait(.milliseconds(waitMs))
      }
    }
  }

  /// A game whose player 0 has just become suspect.
  private static func suspectGame() throws -> TestRoom {
    var test = try PositionsTests.game()
    for _ in 0..<3 {
      test.move(0, Yard.fix(mocked: true))
      test.wait(.milliseconds(1))
    }
    #expect(test.room.isSuspect(seat: 0))
    return test
  }

  @Test(
    "A suspect's position is still shown, but points and distance stop; ten consistent fixes over 10 s end the suspicion"
  )
  func suspicion() throws {
    var test = try PositionsTests.game()
    test.move(0, Yard.fix())
    for _ in 0..<3 {
      test.wait(.seconds(1))
      test.move(0, Yard.fix(mocked: true))
    }
    for step in 1...11 {
      #expect(test.room.isSuspect(seat: 0))
      test.wait(.seconds(1))
      #expect(test.move(0, Yard.fix(northM: Double(step) * 10)) == nil)
      #expect(test.points() == [0: 1])
    }
    #expect(!test.room.isSuspect(seat: 0))
    #expect(test.effects.outputs.contains(.verdict(.seat(0), nil, suspect: false)))
    test.wait(.seconds(1))
    test.move(0, Yard.fix(northM: 120))
    #expect(test.points() == [0: 2])
    test.wait(.seconds(7_200))
    test.tick()
    let distanceMm = try #require(test.room.board.first?.distanceMm)
    #expect((9_990...10_010).contains(distanceMm), "only the step after the anchor counts")
  }

  @Test("Inconsistent fixes are no anchor, nor are fixes with a mocked one between")
  func noAgreement() throws {
    for isMocked in [false, true] {
      var test = try Self.suspectGame()
      for step in 0..<60 {
        test.wait(.seconds(1))
        // Every eighth fix is somewhere else, or mocked.
        let isOdd = step % 8 == 0
        test.move(0, Yard.fix(northM: isOdd && !isMocked ? Double(step + 1) * 500 : 0, mocked: isOdd && isMocked))
        #expect(test.room.isSuspect(seat: 0))
      }
    }
  }

  @Test("A time ahead of the server is a finding each time")
  func timesAhead() throws {
    var test = try PositionsTests.game()
    for count in 1...3 {
      #expect(test.move(0, Yard.fix(time: test.now + .seconds(3))) == .tooFarAhead)
      #expect(test.room.isSuspect(seat: 0) == (count == 3))
      test.wait(.seconds(1))
    }
  }

  @Test("The anchor resets the findings: one more finding does not renew the suspicion")
  func forgiven() throws {
    var test = try Self.suspectGame()
    for _ in 0..<11 {
      test.wait(.seconds(1))
      test.move(0, Yard.fix())
    }
    #expect(!test.room.isSuspect(seat: 0))
    test.wait(.seconds(1))
    test.move(0, Yard.fix(mocked: true))
    #expect(!test.room.isSuspect(seat: 0))
  }

  @Test(
    "A suspicion belongs to its player: it outlasts the game and a leave, but does not pass to the seat's next player"
  )
  func suspicionStays() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.start()
    for _ in 0..<3 {
      test.move(1, Yard.fix(mocked: true))
      test.wait(.milliseconds(1))
    }
    test.apply(.leave(.seat(1)))
    test.join(1)
    #expect(test.room.isSuspect(seat: 1))
    test.apply(.playAgain(.seat(0)))
    test.start()
    test.wait(.milliseconds(1))
    test.move(1, Yard.fix())
    #expect(test.points() == [1: 0])
    test.wait(.seconds(60))
    test.apply(.playAgain(.seat(0)))
    test.apply(.leave(.seat(1)))
    test.join(9)
    test.start()
    test.move(1, Yard.fix())
    #expect(test.points() == [1: 1])
  }
}
