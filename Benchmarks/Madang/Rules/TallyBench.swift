// `madang-bench tally`: deciding on taps, encoding and decoding them, without a disk.
import ArgumentParser
import Game
import SeededRandom

struct TallyBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tally",
    abstract: "Measure the tally of school taps.",
    discussion: """
      Players drawn at random send batches, 20,000 in a second of the tally's time, and after every 2,000 the records and as \
      many rows are taken. Then a tally is made anew by the records alone, and another by the rows alone.
      """
  )

  @Option(help: "The number of players.")
  var players = 100_000

  @Option(help: "The number of schools that they have chosen.")
  var schools = 12_011

  @Option(help: "The number of batches.")
  var batches = 1_000_000

  func validate() throws {
    guard (1...10_000_000).contains(players), (1...1_000_000).contains(schools), (1...100_000_000).contains(batches)
    else {
      throw ValidationError("--players, --schools and --batches must be at least 1, and not beyond all measure.")
    }
  }

  func run() throws {
    var random = SplitMix64(seed: 6)
    var tally = Tally()
    var segments = try choose(&tally, &random)
    let chosenBytes = bytes(of: segments)
    let residentAtFirst = try residentKiB()
    var table = Table(["what"] + CPUTimes.header)
    var (taps, records, rows) = (CPUTimes(), CPUTimes(), CPUTimes())
    var numbers = [UInt32](repeating: 0, count: players)
    var (counted, rowCount, nowMs) = (0, 0, 1_790_000_000_000 as Int64)
    while counted < batches {
      for _ in 0..<20 {
        nowMs += 5
        let drawn = (0..<100).map { _ in (player: random.draw(0...players - 1), count: Int64(random.draw(1...40))) }
        taps.measure {
          for (player, count) in drawn {
            let id = PlayerID(UInt128(player))
            let decision = tally.tap(id, batch: numbers[player] + 1, count: count, at: Instant(milliseconds: nowMs))
            guard case .counted = decision else { continue }
            numbers[player] += 1
            counted += 1
          }
        }
      }
      records.measure {
        if let segment = tally.takeRecords() { segments.append(segment) }
      }
      rows.measure { rowCount += tally.takeChangedRows(max: 2_000).count }
    }
    table.add(["100 taps"] + taps.cells)
    table.add(["records of 2,000 taps"] + records.cells)
    table.add(["2,000 rows"] + rows.cells)
    print(table.text)
    let recordBytes = Double(bytes(of: segments) - chosenBytes) / Double(counted)
    print("\n\(counted) batches counted, \(recordBytes.fixed(1)) bytes of records each; \(rowCount) rows taken")
    print("\(try residentKiB() / 1_024) MiB resident, \(residentAtFirst / 1_024) before the first tap")
    try recover(tally, segments)
  }

  /// Each player chooses a school.
  private func choose(_ tally: inout Tally, _ random: inout SplitMix64) throws -> [TallySegment] {
    for player in 0..<players {
      guard let school = SchoolID("B\(random.draw(0...schools - 1))") else {
        throw BenchFailure(description: "no identifier")
      }
      _ = tally.choose(school, by: PlayerID(UInt128(player)))
    }
    return [tally.takeRecords()].compactMap(\.self)
  }

  private func bytes(of segments: [TallySegment]) -> Int {
    segments.reduce(0) { $0 + $1.bytes.count }
  }

  private func recover(_ tally: Tally, _ segments: [TallySegment]) throws {
    let began = threadCPUNanoseconds()
    var replayed = Tally()
    for segment in segments {
      guard try replayed.apply(segment.bytes) == 0 else {
        throw BenchFailure(description: "a record that does not fit")
      }
    }
    let rate = Double(replayed.sequence) / Double(threadCPUNanoseconds() - began) * 1_000
    print("\(replayed.sequence) records replayed, \(rate.fixed(2)) million in a second of CPU")
    let rows = replayed.takeChangedRows(max: .max)
    let rowsBegan = threadCPUNanoseconds()
    let restored = try Tally(rows: rows)
    let seconds = Double(threadCPUNanoseconds() - rowsBegan) / 1_000_000_000
    print("\(rows.count) rows taken in, in \(seconds.fixed(2)) s of CPU")
    let checkBegan = threadCPUNanoseconds()
    let faults = replayed.check() + restored.check() + tally.check()
    print("checked three times, in \((Double(threadCPUNanoseconds() - checkBegan) / 1_000_000).fixed(0)) ms of CPU")
    guard faults.isEmpty else { throw BenchFailure(description: faults[0]) }
  }
}
