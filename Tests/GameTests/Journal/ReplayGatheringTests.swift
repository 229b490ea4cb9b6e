// Replays with the viewer's own ticks between the inputs: the outcome is the same, and the ticks carry everything.
import Game
import SeededRandom
import Testing

@Suite("Replays that are gathered")
struct ReplayGatheringTests {
  /// A game of up to four with every kind of input, drawn from a seed; it ends by time.
  private func game(_ seed: UInt64, arena: ArenaPlan? = nil) throws -> TestJournal {
    var random = SplitMix64(seed: seed)
    var journal = TestJournal(
      try RoomConfiguration(
        mode: arena.map { .territory(TerritorySettings(arena: $0)) } ?? .footprint,
        duration: .seconds(40)
      )
    )
    for number in 0..<4 { journal.apply(.join(TestRoom.player(number), nickname: "p\(number)")) }
    journal.apply(.startGame(.seat(0)))
    var (north, east) = ([Double](repeating: 0, count: 4), [Double](repeating: 0, count: 4))
    while journal.results.isEmpty {
      journal.wait(.milliseconds(Int64(random.draw(0...900))))
      let seat = random.draw(0...3)
      switch random.draw(0...29) {
      case 0: journal.apply(.lose(.seat(seat)))
      case 1: journal.apply(.comeBack(.seat(seat)))
      case 2: journal.apply(.join(TestRoom.player(4 + seat), nickname: "watcher"))
      case 3: journal.apply(.chat(.seat(seat), text: "…"))
      case 4: journal.snapshot()
      case 5: journal.apply(.tick(through: UInt32(random.draw(0...20))))
      case 6: journal.apply(.readChat(.seat(seat), upTo: 5))
      case 7 where random.chance(50):
        journal.apply(.restart(downtime: .milliseconds(300)))
        for place in 0..<4 { journal.apply(.comeBack(.seat(place))) }
      default:
        north[seat] += Double(random.draw(-8...8))
        east[seat] += Double(random.draw(-8...8))
        journal.apply(.move(.seat(seat), Yard.fix(northM: north[seat], eastM: east[seat])))
      }
    }
    journal.cut()
    return journal
  }

  @Test(
    "The replay is the same however often it is gathered, and includes every event, row and cell",
    arguments: 0..<60
  )
  func same(seed: Int) throws {
    let journal = try game(UInt64(seed), arena: seed % 2 == 0 ? nil : .standard)
    var random = SplitMix64(seed: UInt64(seed) + 1_000)
    var replay = try GameReplay(1, in: journal.bytes, isGathered: true)
    var effects = Effects()
    var tick = Tick()
    var (events, rows): ([UInt32], [UInt32: [Int64]]) = ([], [:])
    var cells: [UInt32: UInt32] = [:]
    var first: UInt32 = 0
    func take() {
      events += tick.events.map(\.number)
      for (index, seat) in tick.seats.enumerated() {
        rows[seat] = [Int64(tick.latE7[index]), Int64(tick.lngE7[index]), Int64(tick.points[index])]
      }
      for (index, start) in tick.cellStarts.enumerated() {
        for cell in start..<start + tick.cellCounts[index] { cells[cell] = tick.cellSeats[index] }
      }
    }
    let oneIn = random.draw(1...12)
    while try replay.next(into: &effects) != nil {
      if first == 0, replay.room.gameNumber == 1 {
        replay.skipGathering()
        first = replay.room.lastEventNumber
      }
      guard first > 0, random.draw(1...oneIn) == 1 else { continue }
      try replay.gather(into: &tick)
      take()
    }
    try replay.gather(into: &tick)
    take()
    #expect(replay.result == journal.results.first)
    #expect(events == Array(first + 1...replay.room.lastEventNumber))
    var end = Tick()
    journal.room.appendPositions(to: &end)
    #expect(rows.keys.sorted() == end.seats)
    for (index, seat) in end.seats.enumerated() {
      #expect(rows[seat] == [Int64(end.latE7[index]), Int64(end.lngE7[index]), Int64(end.points[index])])
    }
    var held: [UInt32: UInt32] = [:]
    journal.room.appendCells(to: &end)
    for (index, start) in end.cellStarts.enumerated() {
      for cell in start..<start + end.cellCounts[index] { held[cell] = end.cellSeats[index] }
    }
    #expect(cells == held)
    try replay.gather(into: &tick)
    #expect(tick.isEmpty)
  }
}
