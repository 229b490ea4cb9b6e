// The ground of a territory game over time, as runs of cells with a new holder. A value. It can be made coarser in time
// to have fewer runs, and cut out of its arena.
// Decisions: 155 (docs/decisions).

/// The changes of an arena's cells.
package struct GroundHistory: Hashable, Sendable {
  /// Cells beside each other, row by row, that got one holder.
  package struct Run: Hashable, Sendable {
    package let start: Int
    package let count: Int
    package let seat: Int

    package init(start: Int, count: Int, seat: Int) {
      (self.start, self.count, self.seat) = (start, count, seat)
    }
  }

  /// The changes of one moment; each cell is in at most one run.
  package struct Change: Hashable, Sendable {
    /// On the room's clock.
    package let atMs: UInt32
    package let runs: [Run]

    package init(atMs: UInt32, runs: [Run]) {
      (self.atMs, self.runs) = (atMs, runs)
    }
  }

  /// With its middle.
  package private(set) var arena: ArenaPlan
  package private(set) var changes: [Change]

  package init(_ arena: ArenaPlan, _ changes: [Change]) {
    self.arena = arena
    self.changes = changes
  }

  package var runsCount: Int { changes.reduce(0) { $0 + $1.runs.count } }

  /// The same with moments that are so far apart that there are at most `runsMax` runs; where the ground at the end has
  /// more by itself, only that.
  package func coarser(runsMax: Int) -> GroundHistory {
    var history = self
    var stepMs: UInt32 = 1_000
    while history.runsCount > runsMax, history.changes.count > 1 {
      stepMs = stepMs > .max / 2 ? .max : stepMs * 2
      history = inSteps(ofMs: stepMs)
    }
    return history
  }

  /// The same, with the changes of each so many milliseconds as one, at the end of them.
  package func inSteps(ofMs stepMs: UInt32) -> GroundHistory {
    let cells = arena.cells * arena.cells
    var (shown, now) = ([Int](repeating: -1, count: cells), [Int](repeating: -1, count: cells))
    var steps: [Change] = []
    var next = 0
    while next < changes.count {
      let step = changes[next].atMs / stepMs
      var touched: Set<Int> = []
      while next < changes.count, changes[next].atMs / stepMs == step {
        for run in changes[next].runs {
          for cell in run.start..<run.start + run.count {
            now[cell] = run.seat
            touched.insert(cell)
          }
        }
        next += 1
      }
      let changed = touched.filter { now[$0] != shown[$0] }.sorted()
      for cell in changed { shown[cell] = now[cell] }
      let (end, isOver) = step.addingReportingOverflow(1)
      let endMs = end.multipliedReportingOverflow(by: stepMs)
      steps.append(
        Change(
          atMs: isOver || endMs.overflow ? .max : endMs.partialValue,
          runs: Self.runs(changed.map { ($0, now[$0]) })
        )
      )
    }
    return GroundHistory(arena, steps.filter { !$0.runs.isEmpty })
  }

  /// The same, no moment being later than this.
  package func ending(atMs endMs: UInt32) -> GroundHistory {
    GroundHistory(arena, changes.map { Change(atMs: min($0.atMs, endMs), runs: $0.runs) })
  }

  /// The same on a square that begins with the first row and column that were ever held, on a grid of the whole earth:
  /// neither its middle nor the places of its cells tell the arena's middle, which may be where the host began. Each
  /// cell is moved by at most half of one. Nil where no cell was held.
  package var window: GroundHistory? {
    guard let center = arena.center else { return nil }
    var (west, east, south, north) = (arena.cells, -1, arena.cells, -1)
    for run in changes.lazy.flatMap(\.runs) {
      for cell in run.start..<run.start + run.count {
        let (row, column) = cell.quotientAndRemainder(dividingBy: arena.cells)
        (west, east) = (min(west, column), max(east, column))
        (south, north) = (min(south, row), max(north, row))
      }
    }
    guard east >= 0 else { return nil }
    let side = max(east - west, north - south) + 1
    let cells = max(side, ArenaPlan.cellsRange.lowerBound)
    let halfMm = Int64(arena.cellM) * 500
    let middle = Plane(around: center).coordinate(
      eastMm: Int64(2 * west + cells - arena.cells) * halfMm,
      northMm: Int64(2 * south + cells - arena.cells) * halfMm
    )
    let node = Self.node(near: middle, cellM: arena.cellM)
    guard let plan = try? ArenaPlan(center: node, cellM: arena.cellM, cells: cells) else { return nil }
    let moved = changes.map { change in
      let inWindow = change.runs.flatMap { run in
        (run.start..<run.start + run.count).map { cell in
          (cell: (cell / arena.cells - south) * cells + cell % arena.cells - west, seat: run.seat)
        }
      }
      return Change(atMs: change.atMs, runs: Self.runs(inWindow.sorted { $0.cell < $1.cell }))
    }
    return GroundHistory(plan, moved)
  }

  /// The nearest node of a grid over the whole earth whose meshes are as large as a cell.
  private static func node(near place: Coordinate, cellM: Int) -> Coordinate {
    let cellMm = Int64(cellM) * 1_000
    func rounded(_ angleE7: Int32, to meshE7: Int32) -> Int32 {
      let (angle, mesh) = (Int64(angleE7), max(1, Int64(meshE7)))
      let beyond = (angle % mesh + mesh) % mesh
      return Int32(clamping: angle - beyond + (2 * beyond < mesh ? 0 : mesh))
    }
    let equator = Plane(around: Coordinate(latE7: 0, lngE7: 0))
    let latE7 = rounded(place.latE7, to: equator.coordinate(eastMm: 0, northMm: cellMm).latE7)
    let parallel = Plane(around: Coordinate(latE7: latE7, lngE7: 0))
    let lngE7 = rounded(place.lngE7, to: parallel.coordinate(eastMm: cellMm, northMm: 0).lngE7)
    return Coordinate(latE7: latE7, lngE7: lngE7)
  }

  /// The runs of cells, which ascend.
  private static func runs(_ cells: [(cell: Int, seat: Int)]) -> [Run] {
    var runs: [Run] = []
    for (cell, seat) in cells {
      if let last = runs.last, last.seat == seat, last.start + last.count == cell {
        runs[runs.count - 1] = Run(start: last.start, count: last.count + 1, seat: seat)
      } else {
        runs.append(Run(start: cell, count: 1, seat: seat))
      }
    }
    return runs
  }
}

extension GroundHistory.Change {
  /// The changed cells of a tick; nil where it has none.
  init?(_ tick: Tick) {
    guard !tick.cellStarts.isEmpty else { return nil }
    self.init(
      atMs: tick.gameMs,
      runs: tick.cellStarts.indices.map { row in
        GroundHistory.Run(
          start: Int(tick.cellStarts[row]),
          count: Int(tick.cellCounts[row]),
          seat: Int(tick.cellSeats[row])
        )
      }
    )
  }
}
