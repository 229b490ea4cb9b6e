// Land mode in journals: a room in the midst of runs is read back unchanged, and damaged bytes are a fault or a room.
import Game
import SeededRandom
import Testing

@Suite("Land mode: journals")
struct LandJournalTests {
  /// Two players and a watcher, over two lands: one is captured and held, two runs are open, one player is warned.
  private static func story(lands count: Int = 2) throws -> TestJournal {
    let lands = try TestLands.squares(count)
    var journal = TestJournal(try RoomConfiguration(mode: .land(LandSettings(lands: lands)), capacity: 3))
    for player in 0..<4 { journal.apply(.join(TestRoom.player(player), nickname: "player \(player)")) }
    journal.apply(.startGame(.seat(0)))
    for step in 0..<30 {
      let vertices = lands[0].vertices
      if step < 23 { journal.apply(.move(.seat(0), fix(vertices[step]))) }
      if step == 23 { journal.apply(.move(.seat(0), fix(vertices[22]))) }
      journal.apply(.move(.seat(1), fix(lands[count - 1].vertices[step / 3])))
      if step > 10 { journal.apply(.move(.seat(2), fix(lands[count - 1].vertices[30 - step]))) }
      journal.wait(.seconds(1))
    }
    journal.wait(.seconds(2))
    journal.apply(.move(.seat(2), Yard.fix(northM: -10.5, eastM: Double(count - 1) * 140 + 6)))
    return journal
  }

  private static func fix(_ place: Coordinate) -> Fix {
    Fix(latE7: place.latE7, lngE7: place.lngE7, accuracyM: 5)
  }

  /// Ends the story: a run is given up and begun again, the last land captured.
  private static func finish(_ journal: inout TestJournal, lands count: Int = 2) throws {
    let vertices = try TestLands.squares(count)[count - 1].vertices
    journal.apply(.giveUpRun(.seat(2)))
    journal.wait(.seconds(30))
    for step in 0..<24 {
      journal.apply(.move(.seat(2), fix(vertices[step])))
      journal.wait(.seconds(1))
    }
    journal.apply(.tick(through: .max))
  }

  @Test("A room that is read back during runs is the same, and continues the same")
  func snapshot() throws {
    var journal = try Self.story()
    #expect(journal.room.landHolders.map { $0?.seat } == [0, nil])
    #expect(journal.room.landHolders.first??.time == .seconds(22))
    #expect(journal.room.run(of: 0, at: journal.now) == nil)
    #expect(journal.room.run(of: 1, at: journal.now)?.state == .running)
    #expect(journal.room.run(of: 2, at: journal.now)?.state == .warned)
    journal.snapshot()
    journal.cut()
    let before = try #require(try RoomRecovery(from: journal.bytes)?.room)
    #expect(TestJournal.state(before) == TestJournal.state(journal.room))
    for seat in 0..<3 { #expect(before.run(of: seat, at: journal.now) == journal.room.run(of: seat, at: journal.now)) }
    try Self.finish(&journal)
    #expect(journal.room.phase == .ended)
    journal.cut()
    let after = try #require(try RoomRecovery(from: journal.bytes)?.room)
    #expect(TestJournal.state(after) == TestJournal.state(journal.room))
    #expect(after.board == journal.room.board)
  }

  @Test("A replay of a game over lands has the same result, from its inputs alone and over a snapshot inside it")
  func replay() throws {
    for hasSnapshot in [false, true] {
      var journal = try Self.story()
      if hasSnapshot { journal.snapshot() }
      try Self.finish(&journal)
      journal.cut()
      let result = try #require(journal.results.first)
      #expect(result.board.map(\.points) == [1, 1, 0])
      #expect(try TestJournal.replayed(1, in: journal.bytes) == result)
    }
  }

  @Test("A land of thousands of vertices is persisted with all of its visits")
  func largeLand() throws {
    let ring = TestLands.ring((0, 0), (0, 19_900), (19_900, 19_900), (19_900, 0))
    let land = Land(id: LandID(.max), name: "큰 땅", vertices: try LandSurvey.vertices(ofRing: ring))
    var journal = TestJournal(try RoomConfiguration(mode: .land(LandSettings(lands: [land])), capacity: 2))
    for player in 0..<2 { journal.apply(.join(TestRoom.player(player), nickname: "player \(player)")) }
    journal.apply(.startGame(.seat(0)))
    for (seat, first) in [(0, land.vertices.count - 30), (1, 4_001)] {
      for vertex in first..<first + 30 {
        journal.apply(.move(.seat(seat), Self.fix(land.vertices[vertex])))
        journal.wait(.seconds(1))
      }
    }
    journal.snapshot()
    journal.cut()
    // The ring in each of three states, and a bit for each of its vertices in the last.
    #expect(journal.bytes.count < 3 * 8 * land.vertices.count + 8_000)
    let room = try #require(try RoomRecovery(from: journal.bytes)?.room)
    #expect(TestJournal.state(room) == TestJournal.state(journal.room))
    #expect(room.configuration.lands == [land])
    #expect((0..<2).map { room.run(of: $0, at: journal.now)?.visited } == [30, 30])
  }

  @Test("After a game that ended during runs the room holds no run")
  func longLobby() throws {
    var journal = try Self.story()
    journal.wait(.seconds(90_000))
    journal.apply(.tick(through: .max))
    #expect(journal.room.phase == .lobby)
    journal.snapshot()
    journal.cut()
    let room = try #require(try RoomRecovery(from: journal.bytes)?.room)
    #expect(TestJournal.state(room) == TestJournal.state(journal.room))
  }

  @Test("A run's time is that of its fixes, also over a restart of the server")
  func restart() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land, try TestLands.square(2, eastM: 500)])
    test.walk(0, land.vertices.prefix(10))
    test.wait(.seconds(500))
    test.apply(.restart(downtime: .seconds(500)))
    test.apply(.comeBack(.seat(0)))
    #expect(test.room.run(of: 0, at: test.now)?.time == .seconds(510))
    #expect(
      test.walk(0, land.vertices[9..<23]).last == RunProgress(.captured, land: 0, visited: 23, time: .seconds(523))
    )
    #expect(test.captures.map(\.time) == [.seconds(523)])
    #expect(test.room.landHolders.first??.time == .seconds(523))
  }

  @Test("Changed bytes under a valid checksum are a fault or a room that can be played", arguments: 0..<8)
  func damage(block: UInt64) throws {
    var story = try Self.story()
    story.cut()
    story.snapshot()
    story.cut()
    let whole = JournalDamageTests.chunks(of: story.bytes)
    #expect(whole.count == 2)
    var random = SplitMix64(seed: block)
    var played = 0
    var faults: Set<String> = []
    for _ in 0..<150 {
      var chunks = whole
      let chunk = Int(random.next() % 4) == 0 ? 0 : 1
      for _ in 0...random.next() % 3 {
        // After format and length, so that the chunk is still one; half of the time at the end, where runs are kept.
        let count = chunks[chunk].count - 8
        let fromEnd = Int(random.next() % UInt64(random.next() % 2 == 0 ? count : 400))
        chunks[chunk][4 + count - 1 - min(fromEnd, count - 1)] = UInt8(truncatingIfNeeded: random.next())
      }
      JournalDamageTests.seal(&chunks[chunk])
      do {
        try JournalDamageTests.play(chunks.flatMap { $0 })
        played += 1
      } catch {
        faults.insert("\(error.reason)")
      }
    }
    #expect(played > 10)
    #expect(faults.count > 3)
  }
}
