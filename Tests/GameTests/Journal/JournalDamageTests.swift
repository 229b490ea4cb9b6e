// Damaged journals: each gives a fault, or a room that can be played on, never a trap.
import Game
import SeededRandom
import Testing

@Suite("Journals: damage")
struct JournalDamageTests {
  @Test("Of a truncated journal the complete chunks are read, and the rest is a fault")
  func truncations() throws {
    let whole = try TestJournal.story(cutsEverywhere: true)
    var boundaries = 0
    for length in 0..<whole.bytes.count {
      let bytes = Array(whole.bytes.prefix(length))
      do {
        let loss = try Self.play(bytes)
        if loss == nil { boundaries += 1 }
        #expect(loss == nil || loss?.reason == .truncated, "\(length) bytes: \(String(describing: loss))")
      } catch {
        #expect(error.reason == .truncated, "\(length) bytes: \(error)")
      }
    }
    #expect(boundaries == 29)
  }

  @Test("One changed bit anywhere is a fault")
  func flips() throws {
    let bytes = try TestJournal.story().bytes
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      #expect(throws: JournalFault.self, "byte \(index)") { try Self.play(damaged) }
    }
  }

  @Test("After a missing, damaged or misplaced chunk the room keeps its state before it, and the loss is reported")
  func lostChunks() throws {
    let chunks = Self.chunks(of: try TestJournal.story(cutsEverywhere: true).bytes)
    for place in chunks.indices.dropFirst() {
      let before = try #require(try RoomRecovery(from: chunks[..<place].flatMap(\.self)))
      #expect(before.loss == nil && before.nextChunk == UInt64(place))
      func check(_ damaged: [[UInt8]], _ reason: JournalFault.Reason) throws {
        let found = try #require(try RoomRecovery(from: damaged.flatMap(\.self)))
        #expect(TestJournal.state(found.room) == TestJournal.state(before.room))
        #expect(found.nextChunk == UInt64(place))
        #expect(found.loss?.reason == reason, "\(place)")
        #expect(found.loss?.position == chunks[..<place].joined().count)
      }
      var damaged = chunks
      damaged[place][chunks[place].count / 2] ^= 0x10
      try check(damaged, .damaged)
      damaged = chunks
      damaged[place][0] = 77
      try check(damaged, .unknownFormat)
      damaged = chunks
      damaged.insert(chunks[place - 1], at: place)
      try check(damaged, .gap)
      guard place + 1 < chunks.count else { continue }
      damaged = chunks
      damaged.remove(at: place)
      try check(damaged, .gap)
      damaged = chunks
      damaged.swapAt(place, place + 1)
      try check(damaged, .gap)
    }
  }

  @Test("A game with a missing chunk can't be replayed")
  func lostGame() throws {
    let chunks = Self.chunks(of: try TestJournal.story(cutsEverywhere: true).bytes)
    for place in 8...20 {
      var damaged = chunks
      damaged.remove(at: place)
      do {
        _ = try TestJournal.replayed(1, in: damaged.flatMap(\.self))
        Issue.record("played again without chunk \(place)")
      } catch let fault as JournalFault {
        #expect(fault.reason == .gap)
      }
    }
  }

  @Test("Changed bytes under a valid checksum are a fault or a room that can be played", arguments: 0..<8)
  func resealed(block: UInt64) throws {
    var story = try TestJournal.story()
    story.snapshot()
    story.cut()
    // Two chunks: the inputs with a snapshot among them, and a snapshot of the end.
    var random = SplitMix64(seed: block)
    var played = 0
    var faults: Set<String> = []
    for _ in 0..<250 {
      var chunks = Self.chunks(of: story.bytes)
      let chunk = Int(random.next() % UInt64(chunks.count))
      for _ in 0...random.next() % 3 {
        // After format, number and length, so that the chunk is still one.
        let index = 5 + Int(random.next() % UInt64(chunks[chunk].count - 9))
        chunks[chunk][index] = UInt8(truncatingIfNeeded: random.next())
      }
      Self.seal(&chunks[chunk])
      do {
        try Self.play(chunks.flatMap { $0 })
        played += 1
      } catch {
        faults.insert("\(error.reason)")
      }
    }
    #expect(played > 10)
    #expect(faults.count > 5)
  }

  @Test("Random bytes are a fault")
  func noise() throws {
    var random = SplitMix64(seed: 1)
    for length in 1..<500 {
      var bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      bytes[0] = 1
      #expect(throws: JournalFault.self) { try Self.play(bytes) }
    }
  }

  /// Recovers the room, replays its games, and lets everybody left in it act until it ends. Returns the loss.
  @discardableResult
  static func play(_ bytes: [UInt8]) throws(JournalFault) -> JournalFault? {
    guard let recovery = try RoomRecovery(from: bytes) else { return nil }
    var room = recovery.room
    var effects = Effects()
    var now = Instant(milliseconds: max(room.latest.milliseconds, TestRoom.made.milliseconds))
    for step in 0..<40 where !room.isClosed {
      let places = room.members.map(\.place)
      let input: Input =
        switch step {
        case 0: .restart(downtime: .seconds(1))
        case 1..<20 where !places.isEmpty:
          switch step % 5 {
          case 0: .comeBack(places[step % places.count])
          case 1: .chat(places[step % places.count], text: "안녕")
          case 2: .move(places[step % places.count], Yard.fix(northM: Double(step)))
          case 3: .startGame(places[0])
          default: .join(TestRoom.player(step % 6), nickname: "지민")
          }
        default: .tick(through: .max)
        }
      room.apply(input, at: now, into: &effects)
      now = now + .milliseconds(step < 20 ? 700 : 20_000)
    }
    for number in 1...2 as ClosedRange<UInt32> {
      do throws(JournalFault) {
        var replay = try GameReplay(number, in: bytes)
        while try replay.next(into: &effects) != nil {}
      } catch {
        continue
      }
    }
    return recovery.loss
  }

  /// Cuts a journal into its chunks: format, number, records with their length, texts with theirs, checksum.
  static func chunks(of bytes: [UInt8]) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      // All numbers of these tests are below 128.
      var end = start + 2
      for _ in 0..<2 {
        var length = 0
        var shift = 0
        repeat {
          length |= Int(bytes[end] & 0x7F) << shift
          shift += 7
          end += 1
        } while bytes[end - 1] >= 0x80
        end += length
      }
      end += 4
      chunks.append(Array(bytes[start..<end]))
      start = end
    }
    return chunks
  }

  /// Makes the checksum hold: FNV-1a of all before it.
  static func seal(_ chunk: inout [UInt8]) {
    var hash: UInt32 = 0x811C_9DC5
    for byte in chunk.dropLast(4) {
      hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    for index in 0..<4 {
      chunk[chunk.count - 4 + index] = UInt8(truncatingIfNeeded: hash >> UInt32(8 * index))
    }
  }
}
