// Messages about an arena: the cells that changed, as runs; all cells, for members who join or fell behind.
import Game
import Testing

@Suite("Territory mode: ticks")
struct TerritoryTicksTests {
  @Test("A tick has only the changed cells, as runs")
  func changes() throws {
    var field = try TestField()
    field.goAround(1, from: 2, 2, to: 58, 28)
    var tick = field.test.tick()
    #expect(tick.cellStarts == [0, 8, 16])
    #expect(tick.cellCounts == [6, 6, 6])
    #expect(tick.cellSeats == [1, 1, 1])
    #expect(tick.points.last == 1_800)
    #expect(tick.events.map(\.body) == [.captured(seat: 1, .area(m2: 1_800))])

    field.goAround(0, from: 42, 12, to: 78, 38)
    tick = field.test.tick()
    #expect(tick.cellStarts == [12, 20, 28])
    #expect(tick.cellCounts == [4, 4, 4])
    #expect(tick.seats == [0, 1], "whose points have changed, also by another's move")
    #expect(tick.points == [1_200, 1_400])

    field.test.wait(.seconds(1))
    #expect(field.test.tick().isEmpty)
    field.walk(0, [(75, 35), (75, 75)])
    #expect(field.test.tick().cellStarts.isEmpty)
  }

  @Test("A run crosses the end of a row, and of a word of 64 cells")
  func longRuns() throws {
    var field = try TestField(cells: 130, cellM: 5)
    field.goAround(0, from: 1, 1, to: 649, 14)
    let tick = field.test.tick()
    #expect(tick.cellStarts == [0] && tick.cellCounts == [390] && tick.cellSeats == [0])
  }

  @Test("A cell that changes hands twice between two ticks is sent once")
  func twice() throws {
    var field = try TestField()
    field.goAround(0, from: 2, 2, to: 28, 28)
    field.goAround(1, from: 2, 2, to: 38, 38)
    let tick = field.test.tick()
    #expect(tick.cellSeats.allSatisfy { $0 == 1 })
    #expect(tick.cellCounts == [4, 4, 4, 4])
    #expect(tick.points == [0, 1_600])
  }

  @Test("The arena is in the tick of the game's start if its place was given, else in a later one")
  func arena() throws {
    for isCenterGiven in [true, false] {
      let center = isCenterGiven ? TestField.bupyeong : nil
      let plan = try ArenaPlan(center: center, cells: 8)
      var test = TestRoom(try RoomConfiguration(mode: .territory(TerritorySettings(arena: plan))), players: 2)
      #expect(test.tick().arena == nil)
      #expect(test.room.arena == plan)
      test.start()
      #expect(test.tick().arena == (isCenterGiven ? plan : nil))
      test.wait(.seconds(1))
      test.move(0, Yard.fix())
      let known = try ArenaPlan(center: TestField.bupyeong, cells: 8)
      #expect(test.tick().arena == (isCenterGiven ? nil : known))
      #expect(test.room.arena == known)
      test.wait(.seconds(1))
      test.move(0, Yard.fix(northM: 5))
      #expect(test.tick().arena == nil)
    }
  }

  @Test("A merged tick has the current rows of all cells that changed, and the arena")
  func merged() throws {
    var field = try TestField(isCenterGiven: false)
    let start = field.test.room.broadcastNumber
    let event = field.test.room.lastEventNumber
    field.step(0, 40, 40)
    field.test.tick()
    let known = field.test.room.broadcastNumber
    field.goAround(1, from: 2, 2, to: 58, 28)
    field.test.tick()
    let first = field.test.room.broadcastNumber
    field.goAround(0, from: 42, 12, to: 78, 38)
    field.test.tick()
    let second = field.test.room.broadcastNumber

    var tick = Tick()
    #expect(field.test.room.mergeTicks(afterBroadcast: start, afterEvent: event, into: &tick))
    #expect(tick.arena == field.test.room.arena)
    #expect(field.picture(of: tick) == field.picture)
    #expect(tick.skipped == 2 && tick.events.count == 2)
    #expect(field.test.room.mergeTicks(afterBroadcast: known, afterEvent: event, into: &tick))
    #expect(tick.arena == nil)
    #expect(field.picture(of: tick) == field.picture)
    #expect(field.test.room.mergeTicks(afterBroadcast: first, afterEvent: event, into: &tick))
    #expect(Array(field.picture(of: tick)[4...]) == ["....0000", "11110000", "11110000", "........"])
    #expect(field.test.room.mergeTicks(afterBroadcast: second, afterEvent: event, into: &tick))
    #expect(tick.cellStarts.isEmpty)
  }

  @Test("A tick merged over a start has no cells of the game before, nor its arena")
  func mergedOverStart() throws {
    var field = try TestField(isCenterGiven: false)
    field.step(0, 40, 40)
    field.goAround(1, from: 2, 2, to: 58, 28)
    field.test.tick()
    field.test.wait(.seconds(7_200))
    field.test.apply(.playAgain(.seat(0)))
    field.test.start()
    field.test.tick()
    var tick = Tick()
    #expect(field.test.room.mergeTicks(afterBroadcast: 0, afterEvent: 0, into: &tick))
    #expect(tick.cellStarts.isEmpty && tick.arena == nil)
    #expect(tick.events.last?.body == .phase(.playing(game: 2, endsAtGameMs: 7_200_000)))
  }

  @Test("After a restart no tick carries earlier changes: all members get the whole state")
  func restart() throws {
    var field = try TestField(isCenterGiven: false)
    field.step(0, 40, 40)
    field.goAround(1, from: 2, 2, to: 58, 28)
    field.test.apply(.restart(downtime: .zero))
    let tick = field.test.tick()
    #expect(tick.cellStarts.isEmpty && tick.arena == nil)
    #expect(field.picture[7] == "111111..")
  }

  @Test("Every cell has one owner or none, always")
  func oneOwner() throws {
    var field = try TestField()
    for (seat, east) in [(0, 48.0), (1, 38.0), (0, 28.0), (1, 78.0)] {
      field.goAround(seat, from: 2, 2, to: east, 78)
      var state = Tick()
      field.test.room.appendCells(to: &state)
      let cells = zip(state.cellStarts, state.cellCounts).flatMap { Array($0..<$0 + $1) }
      #expect(Set(cells).count == cells.count)
      #expect(UInt32(cells.count) * 100 == field.test.points().values.reduce(0, +))
    }
  }
}
