// The ground of a game over time: coarser moments, and a window that hides the middle of the arena.
import Game
import Testing

@Suite("The ground of a game over time") struct GroundHistoryTests {
  private static let cells = 40
  private static let center = Coordinate(latE7: 375_000_000, lngE7: 1_267_000_000)

  private static func history(_ changes: [GroundHistory.Change]) throws -> GroundHistory {
    GroundHistory(try ArenaPlan(center: center, cellM: 10, cells: cells), changes)
  }

  private static func change(_ atMs: UInt32, _ runs: (start: Int, count: Int, seat: Int)...) -> GroundHistory.Change {
    let runs = runs.map { GroundHistory.Run(start: $0.start, count: $0.count, seat: $0.seat) }
    return GroundHistory.Change(atMs: atMs, runs: runs)
  }

  /// The holders of cells at a moment.
  private static func holders(_ history: GroundHistory, at ms: UInt32 = .max) -> [Int: Int] {
    var holders: [Int: Int] = [:]
    for change in history.changes where change.atMs <= ms {
      for run in change.runs { for cell in run.start..<run.start + run.count { holders[cell] = run.seat } }
    }
    return holders
  }

  @Test("Coarser moments end with the same ground, and a cell that came and went is in no change")
  func coarser() throws {
    let changes = (0..<600).map { second in
      Self.change(UInt32(second) * 1_000, (second * 2, 2, second / 100), (0, 1, second % 2))
    }
    let whole = try Self.history(changes)
    let coarse = whole.coarser(runsMax: 300)
    #expect(coarse.runsCount <= 300 && coarse.changes.count > 1)
    #expect(Self.holders(coarse) == Self.holders(whole))
    #expect(zip(coarse.changes, coarse.changes.dropFirst()).allSatisfy { $0.atMs < $1.atMs })
    let steps = whole.inSteps(ofMs: 10_000)
    #expect(steps.changes.allSatisfy { $0.atMs.isMultiple(of: 10_000) })
    for ms: UInt32 in [10_000, 300_000, 600_000] {
      #expect(Self.holders(steps, at: ms) == Self.holders(whole, at: ms - 1), "\(ms)")
    }
    // Only the ground at the end.
    #expect(whole.coarser(runsMax: 1).changes.count == 1)
    #expect(whole.ending(atMs: 5_000).changes.allSatisfy { $0.atMs <= 5_000 })
  }

  @Test("The window has all cells that were held, where they were, and another middle than the arena")
  func window() throws {
    // Rows 2 and 3, columns 38 and 39, then row 6, columns 30 to 32: a run that goes on in the next row is cut.
    let first = 2 * Self.cells + 38
    let whole = try Self.history([
      Self.change(1_000, (first, 2, 4), (first + Self.cells, 2, 4)), Self.change(2_000, (6 * Self.cells + 30, 3, 1)),
    ])
    let window = try #require(whole.window)
    #expect(window.arena.cells == 10 && window.arena.cellM == 10)
    #expect(window.changes.map(\.atMs) == [1_000, 2_000])
    let center = try #require(window.arena.center)
    // The window's south-western cell is that of row 2, column 30.
    let southM = Double(center.latE7 - Self.center.latE7) * 0.011119508
    let eastM = Double(center.lngE7 - Self.center.lngE7) * 0.011119508 * 0.793353340
    // Moved to the earth's grid: by half of a cell at most.
    #expect(abs(southM - Double((2 + 5 - 20) * 10)) < 5.1 && abs(eastM - Double((30 + 5 - 20) * 10)) < 5.1)
    #expect(Self.holders(window) == [8: 4, 9: 4, 18: 4, 19: 4, 40: 1, 41: 1, 42: 1])
    #expect(try Self.history([]).window == nil)
    // One cell in the corner: the smallest arena, which begins with it.
    let corner = try #require(try Self.history([Self.change(5, (Self.cells * Self.cells - 1, 1, 0))]).window)
    #expect(corner.arena.cells == 4 && Self.holders(corner) == [0: 0])
  }

  @Test("The window of a small arena lies elsewhere than its middle; windows of near starts lie on one grid")
  func grid() throws {
    // A mesh of the grid along a meridian: 10 m in 10⁻⁷ degrees.
    let meshE7: Int32 = 899
    var middles: Set<Coordinate> = []
    for step in 0..<9 {
      let start = Coordinate(latE7: 375_000_000 + Int32(step) * 13, lngE7: 1_267_000_000 + Int32(step) * 17)
      let arena = try ArenaPlan(center: start, cellM: 10, cells: 4)
      let window = try #require(GroundHistory(arena, [Self.change(5, (5, 2, 0), (9, 2, 0))]).window)
      let middle = try #require(window.arena.center)
      #expect(middle.latE7 % meshE7 == 0 && window.arena.cells == 4)
      #expect(abs(middle.latE7 - start.latE7) > 300)
      middles.insert(middle)
    }
    // Starts within a few metres can't be told apart.
    #expect(middles.count <= 4)
  }
}
