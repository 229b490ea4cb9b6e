// Journals: reading one back gives the same room and the same results.
import Game
import Testing

@Suite("Journals")
struct JournalTests {
  @Test("Every input is read back as it was written, with its time, wherever chunks are cut", arguments: [false, true])
  func inputs(cutsEverywhere: Bool) throws {
    let journal = try TestJournal.story(cutsEverywhere: cutsEverywhere)
    var reader = JournalReader(journal.bytes)
    var read: [Input] = []
    var times: [Instant] = []
    #expect(reader.rulesVersion == 0)
    while let record = try reader.next() {
      #expect(reader.rulesVersion == RulesVersion.current)
      if case .input(let input, let time) = record {
        read.append(input)
        times.append(time)
      }
    }
    // The text of an absent sender is not kept: it is refused in any case.
    let written = journal.inputs.map {
      $0 == .chat(.spectator(3), text: "nobody") ? .chat(.spectator(3), text: "") : $0
    }
    #expect(read == written)
    #expect(times.first == TestRoom.made)
    #expect(times.last == journal.now)
    #expect(times == times.sorted())
  }

  @Test("A journal begins with the room's creation")
  func created() throws {
    let configuration = try RoomConfiguration(
      capacity: 200,
      duration: .seconds(7_200),
      tickHz: 3,
      hostOnly: true,
      spectators: false,
      speedMaxMmPerS: 500
    )
    for configuration in [configuration, try RoomConfiguration(solo: true)] {
      var writer = JournalWriter()
      #expect(writer.isEmpty)
      writer.create(configuration, seed: .max, at: TestRoom.made)
      #expect(!writer.isEmpty)
      var bytes: [UInt8] = [1, 2, 3]
      writer.take(into: &bytes)
      #expect(writer.isEmpty)
      #expect(bytes.prefix(3) == [1, 2, 3])
      var reader = JournalReader(Array(bytes.dropFirst(3)))
      guard case .created(let read, let seed, let time) = try reader.next() else {
        Issue.record("not a beginning")
        return
      }
      #expect(read == configuration)
      #expect(seed == .max)
      #expect(time == TestRoom.made)
      let before = bytes
      writer.take(into: &bytes)
      #expect(bytes == before, "an empty writer has no chunk")
    }
  }

  @Test("A room is recovered from its creation and from any snapshot, byte for byte")
  func recovered() throws {
    for snapshotAfter in [nil, 0, 5, 13, 20, 24] as [Int?] {
      let story = try TestJournal.story()
      var journal = TestJournal(story.room.configuration)
      for (index, input) in story.inputs.enumerated() {
        journal.wait(.milliseconds(210))
        journal.apply(input)
        if index == snapshotAfter { journal.snapshot() }
        if index % 3 == 0 { journal.cut() }
      }
      journal.cut()
      let room = try #require(try RoomRecovery(from: journal.bytes)?.room)
      #expect(TestJournal.state(room) == TestJournal.state(journal.room), "\(String(describing: snapshotAfter))")
    }
  }

  @Test("A closed room is not recovered, nor one with an empty journal")
  func closed() throws {
    #expect(try RoomRecovery(from: []) == nil)
    var journal = TestJournal(try RoomConfiguration())
    journal.wait(.seconds(60))
    journal.apply(.tick(through: .max))
    journal.cut()
    #expect(journal.room.isClosed)
    #expect(try RoomRecovery(from: journal.bytes) == nil)
  }

  @Test(
    "Inputs without a state before them are skipped; an input to a closed room, or older than the newest one, is a fault"
  )
  func impossibleOrders() throws {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(.tick(through: 0), from: nil, at: TestRoom.made)
    writer.take(into: &bytes)
    #expect(try RoomRecovery(from: bytes) == nil)

    var journal = TestJournal(try RoomConfiguration())
    journal.wait(.seconds(60))
    journal.apply(.tick(through: .max))
    journal.cut()
    writer = JournalWriter(nextChunk: 1)
    writer.append(.tick(through: 0), from: nil, at: journal.now)
    var late = journal.bytes
    writer.take(into: &late)
    #expect(throws: JournalFault.self) { try RoomRecovery(from: late) }

    writer = JournalWriter(nextChunk: 1)
    writer.append(.tick(through: 0), from: nil, at: TestRoom.made)
    var early = journal.bytes
    writer.take(into: &early)
    #expect(throws: JournalFault.self) { try RoomRecovery(from: early) }
  }

  @Test("A position takes 14 bytes at most in a running game, without its chunk's header")
  func size() throws {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    var now = TestRoom.made
    writer.append(.tick(through: 0), from: nil, at: now)
    for _ in 0..<100 {
      now = now + .milliseconds(100)
      writer.append(.move(.seat(3), Yard.fix(time: now - .milliseconds(60))), from: nil, at: now)
    }
    writer.take(into: &bytes)
    #expect(bytes.count <= 100 * 14 + 24)
  }
}
