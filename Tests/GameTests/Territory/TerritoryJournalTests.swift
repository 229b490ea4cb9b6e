// Territory mode in journals: recovered rooms are unchanged, games can be replayed, and damaged bytes never trap.
import Game
import SeededRandom
import Testing

@Suite("Territory mode: journals")
struct TerritoryJournalTests {
  @Test("A room is restored with its arena, its cells and its open paths, and continues the same")
  func roundTrip() throws {
    var field = try Self.field()
    #expect(field.test.room.path(of: 0).count > 5 && field.test.room.path(of: 1).count > 3)
    let read = try Self.read(Self.snapshot(field.test.room, at: field.test.now))
    #expect(read.arena == field.test.room.arena)
    #expect(read.path(of: 0) == field.test.room.path(of: 0))
    #expect(Self.snapshot(read, at: field.test.now) == Self.snapshot(field.test.room, at: field.test.now))
    var (one, other) = (field.test.room, read)
    var (effects, otherEffects) = (Effects(), Effects())
    let inputs: [Input] = [
      .tick(through: .max), .move(.seat(0), field.fix(.init(15, 50))), .move(.seat(1), field.fix(.init(55, 45))),
      .tick(through: .max),
    ]
    for (second, input) in inputs.enumerated() {
      one.apply(input, at: field.test.now + .seconds(second + 1), into: &effects)
      other.apply(input, at: field.test.now + .seconds(second + 1), into: &otherEffects)
      #expect(effects == otherEffects, "\(input)")
    }
    field.walk(0, [(15, 25)])
    #expect(TestField.hasClosed(field.takeNotifications(of: 0)), "the path was about to close")
  }

  @Test("A room without a game is restored without an arena")
  func lobby() throws {
    for center in [nil, TestField.bupyeong] {
      let plan = try ArenaPlan(center: center, cellM: 10, cells: 8)
      var test = TestRoom(try RoomConfiguration(mode: .territory(TerritorySettings(arena: plan))), players: 2)
      test.tick()
      let read = try Self.read(Self.snapshot(test.room, at: test.now))
      #expect(!read.hasChanges(through: .max))
      #expect(read.arena == plan)
    }
  }

  @Test("A room's settings are restored: arena, cutting")
  func settings() throws {
    for cutting in [false, true] {
      let plan = try ArenaPlan(center: Coordinate(latE7: -5, lngE7: 1_800_000_000), cellM: 50, cells: 400)
      let configuration = try RoomConfiguration(
        mode: .territory(TerritorySettings(arena: plan, cutting: cutting)),
        capacity: 200
      )
      let room = Room(configuration, seed: 3, at: TestRoom.made)
      #expect(try Self.read(Self.snapshot(room, at: TestRoom.made)).configuration == configuration)
    }
  }

  @Test("A territory game is replayed from its journal, also over a snapshot with open paths")
  func replay() throws {
    let journal = try Self.story()
    #expect(journal.results.count == 1)
    #expect(journal.results.first?.board.map(\.points) == [3_000, 1_200])
    #expect(try TestJournal.replayed(1, in: journal.bytes) == journal.results.first)
  }

  @Test("A truncated journal of a territory room is a fault, or a room")
  func truncations() throws {
    let bytes = try Self.story().bytes
    for length in 0..<bytes.count {
      do {
        try Self.play(Array(bytes.prefix(length)))
      } catch {
        #expect(error.reason == .truncated, "\(length) bytes: \(error)")
      }
    }
  }

  @Test(
    "A territory room's state with any changed byte under a valid checksum is a fault, or a room that can be played"
  )
  func changedBytes() throws {
    let field = try Self.field()
    let chunk = Self.snapshot(field.test.room, at: field.test.now)
    var played = 0
    var faults: Set<String> = []
    for index in 4..<chunk.count - 4 {
      for mask in [0x01, 0x02 << UInt8(index % 7)] as [UInt8] {
        var damaged = chunk
        damaged[index] ^= mask
        JournalDamageTests.seal(&damaged)
        do {
          try Self.play(damaged)
          played += 1
        } catch {
          faults.insert("\(error.reason)")
        }
      }
    }
    #expect(played > 50)
    for what in ["point of a path", "start of a run", "owner of a run", "changed cell of nobody"] {
      #expect(faults.contains { $0.contains(what) }, "\(what): \(faults.sorted())")
    }
  }

  @Test("A territory room's state with random bytes in it is a fault, or a room that can be played", arguments: 0..<4)
  func randomBytes(block: UInt64) throws {
    let field = try Self.field()
    let chunk = Self.snapshot(field.test.room, at: field.test.now)
    var random = SplitMix64(seed: block)
    var played = 0
    for _ in 0..<400 {
      var damaged = chunk
      for _ in 0...random.draw(0...3) {
        damaged[random.draw(4...chunk.count - 5)] = UInt8(truncatingIfNeeded: random.next())
      }
      JournalDamageTests.seal(&damaged)
      if (try? Self.play(damaged)) != nil { played += 1 }
    }
    #expect(played > 10)
  }

  /// A game with land of two players, some of which no tick has carried, and an open path of each.
  private static func field() throws -> TestField {
    var field = try TestField(cutting: true)
    field.goAround(0, from: 2, 2, to: 28, 28)
    field.test.tick()
    field.goAround(1, from: 22, 12, to: 58, 38)
    field.walk(1, [(55, 25), (75, 25), (75, 45), (62, 60)])
    field.walk(0, [(5, 25), (5, 75), (35, 75), (35, 52)])
    return field
  }

  /// A game of two players, written and recovered while paths are open.
  private static func story() throws -> TestJournal {
    let plan = try ArenaPlan(center: TestField.bupyeong, cellM: 10, cells: 8)
    let settings = TerritorySettings(arena: plan)
    var journal = TestJournal(try RoomConfiguration(mode: .territory(settings), duration: .seconds(100)))
    let field = try TestField()
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.join(TestRoom.player(1), nickname: "가람"))
    journal.apply(.startGame(.seat(0)))
    let ways: [[(Double, Double)]] = [
      [(2, 2), (16, 2), (30, 2), (44, 2), (58, 2), (72, 2), (78, 14), (78, 28), (78, 38), (64, 38), (50, 38), (36, 38)]
        + [(22, 38), (8, 38), (2, 26), (2, 12)],
      [(2, 42), (16, 42), (30, 42), (38, 42), (38, 56), (38, 68), (24, 68), (10, 68), (2, 68), (2, 54)],
    ]
    for step in 0..<16 {
      journal.wait(.seconds(2))
      for seat in 0...1 where step < ways[seat].count {
        let (x, y) = ways[seat][step]
        journal.apply(.move(.seat(seat), field.fix(.init(x, y))))
      }
      if step % 5 == 4 { journal.snapshot() }
      if step % 3 == 2 { journal.cut() }
    }
    journal.wait(.seconds(100))
    journal.apply(.tick(through: .max))
    journal.cut()
    return journal
  }

  /// Recovers the room, has everybody walk about in it, gathers all ticks and states, and replays its game.
  private static func play(_ bytes: [UInt8]) throws(JournalFault) {
    guard var room = try RoomRecovery(from: bytes)?.room else { return }
    var effects = Effects()
    var now = Instant(milliseconds: max(room.latest.milliseconds, TestRoom.made.milliseconds))
    room.apply(.restart(downtime: .seconds(1)), at: now, into: &effects)
    for place in room.members.map(\.place) where !room.isClosed {
      room.apply(.comeBack(place), at: now, into: &effects)
    }
    let corners = [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20), (-20, -15), (0, 0)]
    for step in 0..<24 where !room.isClosed {
      now = now + .seconds(4)
      for place in room.members.map(\.place) where !room.isClosed {
        let corner = corners[step % corners.count]
        room.apply(.move(place, Yard.fix(northM: corner.1, eastM: corner.0)), at: now, into: &effects)
      }
      guard !room.isClosed else { break }
      if step == 12, let place = room.members.first?.place {
        room.apply(room.phase == .lobby ? .startGame(place) : .playAgain(place), at: now, into: &effects)
      }
      if step % 3 == 0, !room.isClosed { tell(&room, at: now) }
    }
    do throws(JournalFault) {
      var replay = try GameReplay(1, in: bytes)
      while try replay.next(into: &effects) != nil {}
    } catch {
      // A room's state alone has no game to replay.
    }
  }

  private static func tell(_ room: inout Room, at now: Instant) {
    var effects = Effects()
    let broadcast = room.broadcastNumber
    room.apply(.tick(through: .max), at: now, into: &effects)
    guard !room.isClosed else { return }
    var tick = Tick()
    _ = room.mergeTicks(afterBroadcast: broadcast / 2, afterEvent: room.lastEventNumber, into: &tick)
    room.appendCells(to: &tick)
    for seat in 0..<room.configuration.capacity { _ = room.path(of: seat) }
    _ = snapshot(room, at: now)
  }

  private static func snapshot(_ room: Room, at time: Instant) -> [UInt8] {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(snapshotOf: room, at: time)
    writer.take(into: &bytes)
    return bytes
  }

  private static func read(_ bytes: [UInt8]) throws -> Room {
    try #require(try RoomRecovery(from: bytes)?.room)
  }
}
