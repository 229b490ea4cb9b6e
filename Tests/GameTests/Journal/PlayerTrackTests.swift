// One player's fixes out of a room's journal, and whether they are believed.
import Game
import Testing

@Suite("A player's track of a game") struct PlayerTrackTests {
  /// A game of a minute in which two players walk north, each with what `change` does besides.
  private static func journal(_ change: (inout TestJournal) -> Void = { _ in }) throws -> TestJournal {
    var journal = TestJournal(try RoomConfiguration(capacity: 2, duration: .seconds(60)))
    journal.apply(.join(TestRoom.player(0), nickname: "가람"))
    journal.apply(.join(TestRoom.player(1), nickname: "나래"))
    // Outside of a game nothing counts.
    journal.apply(.move(.seat(0), Yard.fix(northM: 5)))
    journal.apply(.startGame(.seat(0)))
    for second in 0..<10 {
      journal.apply(.move(.seat(0), Yard.fix(northM: Double(second) * 3)))
      journal.apply(.move(.seat(1), Yard.fix(northM: Double(second) * 2, eastM: 50)))
      journal.wait(.seconds(1))
    }
    change(&journal)
    journal.wait(.seconds(80))
    journal.apply(.tick(through: .max))
    journal.cut()
    return journal
  }

  private static func places(_ places: (northM: Double, eastM: Double)...) -> [Coordinate] {
    places.map { TestLands.coordinate(northM: $0.northM, eastM: $0.eastM) }
  }

  @Test("It has the accepted fixes of that player alone, from one by one and from kept ones")
  func accepted() throws {
    let journal = try Self.journal { journal in
      let time = journal.now
      let kept = [
        Yard.fix(northM: 30, time: time - .milliseconds(900)), Yard.fix(northM: 33, time: time - .milliseconds(100)),
        // Inaccurate.
        Yard.fix(northM: 36, accuracyM: 200, time: time),
      ]
      journal.apply(.moves(.seat(0), FixBatch(kept, hasMore: false, aliveSince: time)))
    }
    let result = try #require(journal.results.first)
    let track = try PlayerTrack(ofSeat: 0, inGame: 1, of: journal.bytes)
    #expect(track.isBelieved && track.result == result)
    #expect(track.places.count == 12 && track.places.suffix(2) == Self.places((30, 0), (33, 0))[...])
    let other = try PlayerTrack(ofSeat: 1, inGame: 1, of: journal.bytes)
    #expect(other.isBelieved && other.places.count == 10 && other.places.last == Self.places((18, 50))[0])
  }

  @Test("A mocked fix, or a suspicion, takes the belief of that player's track alone")
  func forged() throws {
    let mocked = try Self.journal { $0.apply(.move(.seat(0), Yard.fix(northM: 30, mocked: true))) }
    #expect(try !PlayerTrack(ofSeat: 0, inGame: 1, of: mocked.bytes).isBelieved)
    #expect(try PlayerTrack(ofSeat: 1, inGame: 1, of: mocked.bytes).isBelieved)
    // 40 m a second, kept up.
    let fast = try Self.journal { journal in
      for second in 1...50 {
        journal.apply(.move(.seat(1), Yard.fix(northM: 18 + Double(second) * 40, eastM: 50)))
        journal.wait(.seconds(1))
      }
    }
    #expect(try !PlayerTrack(ofSeat: 1, inGame: 1, of: fast.bytes).isBelieved)
    #expect(try PlayerTrack(ofSeat: 0, inGame: 1, of: fast.bytes).isBelieved)
  }

  @Test("Fixes that were withheld beyond the room's bound take the belief")
  func withheld() throws {
    let journal = try Self.journal { journal in
      let began = journal.now
      journal.wait(.seconds(45))
      let kept = (1...5).map { second in
        Yard.fix(northM: 27 + Double(second) * 3, time: began + .seconds(Int64(second)))
      }
      // The connection has answered all the time.
      journal.apply(.moves(.seat(0), FixBatch(kept, hasMore: false, aliveSince: began - .seconds(5))))
    }
    let row = try #require(journal.results.first?.board.first { $0.seat == 0 })
    #expect(row.withheldPercent > 5)
    #expect(try !PlayerTrack(ofSeat: 0, inGame: 1, of: journal.bytes).isBelieved)
  }

  @Test("A journal without the game, or cut off, is a fault")
  func faults() throws {
    let journal = try Self.journal()
    #expect(throws: JournalFault.self) { try PlayerTrack(ofSeat: 0, inGame: 2, of: journal.bytes) }
    #expect(throws: JournalFault.self) { try PlayerTrack(ofSeat: 0, inGame: 1, of: []) }
  }
}
