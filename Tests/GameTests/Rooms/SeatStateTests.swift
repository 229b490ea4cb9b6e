// Seats that were never taken have no state, invisibly: every answer about one, and every byte of a state, is as if
// they had.
import Game
import SeededRandom
import Testing

@Suite("Seats that were never taken")
struct SeatStateTests {
  private static func configurations() throws -> [RoomConfiguration] {
    [
      try RoomConfiguration(capacity: 200, duration: .seconds(10)),
      try RoomConfiguration(mode: .territory(TerritorySettings()), capacity: 200, duration: .seconds(10)),
      try RoomConfiguration(
        mode: .land(LandSettings(lands: TestLands.squares(2))),
        capacity: 200,
        duration: .seconds(10)
      ),
    ]
  }

  @Test("An untaken seat behaves like an empty one, even one beyond the room's seats")
  func questions() throws {
    for configuration in try Self.configurations() {
      let room = TestRoom(configuration, players: 1).room
      for seat in [1, 199, 200, 5_000] {
        #expect(room.member(at: .seat(seat)) == nil && room.member(at: .spectator(seat)) == nil)
        #expect(!room.isSuspect(seat: seat) && room.lastFix(seat: seat) == nil)
        #expect(room.footprints(seat: seat).isEmpty && room.path(of: seat).isEmpty)
        #expect(room.run(of: seat, at: TestRoom.made) == nil)
      }
    }
  }

  @Test("Inputs from untaken seats are refused")
  func inputs() throws {
    for configuration in try Self.configurations() {
      var test = TestRoom(configuration, players: 2)
      test.start()
      for place: Place in [.seat(2), .seat(199), .seat(200), .seat(9_999), .spectator(0), .spectator(9_999)] {
        for input: Input in [.move(place, Yard.fix()), .chat(place, text: "!"), .leave(place), .giveUpRun(place)] {
          #expect(test.apply(input) == .refused(.notInRoom))
        }
      }
    }
  }

  @Test("A seat that was taken and left has the same bytes as one that was never taken")
  func left() throws {
    for configuration in try Self.configurations() {
      var test = TestRoom(configuration, players: 1)
      for number in 1..<9 { test.join(number) }
      for number in (1..<9).reversed() { test.apply(.leave(.seat(number))) }
      let read = try #require(try RoomRecovery(from: TestJournal.state(test.room))?.room)
      #expect(TestJournal.state(read) == TestJournal.state(test.room))
    }
  }

  @Test("A room that was read back continues like the written one, whichever seats are taken later", arguments: 0..<20)
  func readBack(seed: UInt64) throws {
    for configuration in try Self.configurations() {
      var random = SplitMix64(seed: seed)
      var test = TestRoom(configuration, players: 3)
      test.start()
      for step in 0..<60 {
        test.wait(.milliseconds(Int64(random.draw(0...700))))
        let number = random.draw(0...12)
        let place: Place = random.chance(70) ? .seat(number) : .spectator(number)
        let bytes = TestJournal.state(test.room)
        var read = try #require(try RoomRecovery(from: bytes)?.room)
        #expect(TestJournal.state(read) == bytes, "step \(step)")
        let input: Input =
          switch random.draw(0...6) {
          case 0: .join(TestRoom.player(number), nickname: "p")
          case 1: .leave(place)
          case 2: .lose(place)
          case 3: .startGame(.seat(0))
          case 4: .playAgain(.seat(0))
          default: .move(place, Yard.fix(northM: Double(step)))
          }
        var effects = Effects()
        read.apply(input, at: test.now, into: &effects)
        test.apply(input)
        #expect(effects == test.effects)
        guard !test.room.isClosed else { break }
        #expect(TestJournal.state(read) == TestJournal.state(test.room))
      }
    }
  }
}
