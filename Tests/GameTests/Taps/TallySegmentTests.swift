// The bytes of the tally's records: short, read back unchanged, and never a trap when damaged.
import Game
import SeededRandom
import Testing

@Suite("School taps: segments")
struct TallySegmentTests {
  /// A segment with records of all kinds.
  private func segment(seed: UInt64) throws -> TallySegment {
    var random = SplitMix64(seed: seed)
    var test = TestTally()
    for _ in 0..<40 {
      let player = random.draw(1...4)
      if random.chance(30) { _ = try test.choose(random.draw(0...4), by: player) }
      let batch = (test.tally.standing(of: PlayerID(UInt128(player)))?.lastBatch ?? 0) + 1
      _ = test.tap(batch, Int64(random.draw(1...240)), by: player, afterMs: 3_000)
      if random.chance(10) { _ = test.void(player) }
      if random.chance(5) { _ = test.forget(player) }
      if random.chance(5) { _ = test.tally.closeSeason(at: test.now) }
    }
    return try test.segment()
  }

  @Test("A segment lists its records with their numbers, and the next one begins after them")
  func numbers() throws {
    var test = TestTally()
    #expect(test.tally.takeRecords() == nil)
    #expect(try test.choose(0) == .chosen)
    #expect(test.tap(1, 7) == .counted(1, mine: 7, school: 7))
    #expect(test.tap(1, 7) == .again(1, mine: 7, school: 7))
    let first = try test.segment()
    #expect(test.tally.takeRecords() == nil)
    #expect(test.tap(2, 230) == .abnormal(becameSuspect: false))
    #expect(test.void() == 7)
    #expect(test.forget() == true)
    _ = test.tally.closeSeason(at: test.now)
    let second = try test.segment()
    #expect(first.sequences == 1...2 && second.sequences == 3...6)
    let read = try TallySegment.records(of: first.bytes)
    #expect(read.first == 1)
    #expect(
      read.records == [
        .chosen(player: 0, id: PlayerID(1), school: 0, schoolID: try TestTally.school(0)),
        .counted(player: 0, school: 0, season: 1, batch: 1, taps: 7, schoolCount: 7),
      ]
    )
    #expect(
      try TallySegment.records(of: second.bytes).records == [
        .abnormal(player: 0, batch: 2, becameSuspect: false),
        .voided(player: 0, season: 1, [VoidedTaps(school: 0, count: 7)]),
        .forgotten(player: 0),
        .closed(season: 1, at: test.now),
      ]
    )
  }

  @Test("A batch takes at most 14 bytes, however large the country is")
  func size() throws {
    // A school with a number of two bytes and a total of four, a player with a number and a batch of three bytes each.
    let schools = try (0..<12_011).map { try TestTally.school($0) }
    var rows = TallyRows()
    rows.schools = schools.enumerated().map { TallySchoolRow(number: UInt32($0.offset), school: $0.element) }
    rows.totals = [SchoolTotalRow(season: 1, school: 12_010, count: 100_000_000, reached: 1_000_000_000)]
    rows.players = (0..<20_000).map {
      TapPlayerRow(
        number: $0,
        player: PlayerID(UInt128($0)),
        sequence: 1_000_000_000,
        school: 12_010,
        shown: 1_000_000,
        shownSeason: 1,
        lastBatch: 1_000_000,
        isLastAbnormal: false,
        answerMyCount: 1_000_000,
        answerSchoolCount: 100_000_000,
        abnormalCount: 0,
        isSuspect: false
      )
    }
    var tally = try Tally(rows: rows)
    let time = Instant(milliseconds: 1_790_000_000_000)
    func bytes(_ batches: ClosedRange<UInt32>) throws -> Int {
      for batch in batches {
        let decision = tally.tap(PlayerID(19_999), batch: batch, count: 40, at: time + .seconds(Int64(batch)))
        guard case .counted = decision else { throw TestFault(decision) }
      }
      let segment = tally.takeRecords()
      return try #require(segment).bytes.count
    }
    let one = try bytes(1_000_001...1_000_001)
    #expect(try bytes(1_000_002...1_000_101) - one == 99 * 14)
  }

  private struct TestFault: Error {
    let decision: TapDecision

    init(_ decision: TapDecision) {
      self.decision = decision
    }
  }

  @Test("A changed, missing or additional byte is a fault")
  func damage() throws {
    let bytes = try segment(seed: 1).bytes
    #expect(try !TallySegment.records(of: bytes).records.isEmpty)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(throws: JournalFault.self) { try TallySegment.records(of: damaged) }
      #expect(throws: JournalFault.self) { try TallySegment.records(of: Array(bytes[..<index])) }
    }
    #expect(throws: JournalFault.self) { try TallySegment.records(of: bytes + [0]) }
    var tally = Tally()
    #expect(throws: JournalFault.self) { try tally.apply(bytes + [0]) }
    #expect(tally.sequence == 0 && tally.playerCount == 0)
  }

  @Test("Damaged bytes with a valid checksum are a fault or records, and a tally applies them without a trap")
  func forgery() throws {
    var random = SplitMix64(seed: 77)
    var (faults, mismatches) = (0, 0)
    for seed in 0..<150 as Range<UInt64> {
      let bytes = try segment(seed: seed).bytes
      for _ in 0..<10 {
        var forged = Array(bytes.dropLast(4))
        for _ in 0..<random.draw(1...3) {
          let index = random.draw(1...forged.count - 1)
          switch random.draw(1...3) {
          case 1: forged[index] = UInt8(random.draw(0...255))
          case 2: forged.remove(at: index)
          default: forged.insert(contentsOf: repeatElement(0xFF, count: random.draw(1...9)), at: index)
          }
        }
        var tally = Tally()
        do throws(JournalFault) {
          mismatches += try tally.apply(forged + checksum(of: forged))
          mismatches += try tally.apply(bytes)
        } catch {
          faults += 1
        }
        _ = tally.ranking(of: 1)
        _ = tally.takeChangedRows(max: .max)
      }
    }
    #expect(faults > 100 && mismatches > 100)
  }

  /// FNV-1a, the lowest byte first.
  private func checksum(of bytes: [UInt8]) -> [UInt8] {
    let hash = bytes.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return (0..<4).map { UInt8(truncatingIfNeeded: hash >> UInt32($0 * 8)) }
  }
}
