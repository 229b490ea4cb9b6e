// The ground enclosed by a path that has come home, as a bot calculates it: by trying every way out.
//
// A value. From cell to cell within a box around all obstacles. Cells that the path touches are separate, since a
// millimetre may decide which cells it touches.

/// The cells without a way to the outside past a path's cells and its player's own.
package struct Enclosure: Sendable {
  /// Cells that surely have no way out and that the path does not touch.
  package private(set) var certain: [Int] = []
  /// Cells that may have no way out; a millimetre decides.
  package private(set) var doubtful: Set<Int> = []

  package init(path: [Spot], by seat: Int, on ground: GroundCopy) {
    let touched = Self.cells(touchedBy: path, on: ground)
    let own = Set(ground.cells(heldBy: seat))
    guard let box = Box(touched.perhaps.union(own), side: ground.side) else { return }
    let open = box.outside(of: touched.surely.union(own))
    let surelyOpen = box.outside(of: touched.perhaps.union(own))
    for cell in box.cells where !surelyOpen.contains(cell) && !own.contains(cell) {
      if !open.contains(cell), !touched.perhaps.contains(cell) {
        certain.append(cell)
      } else if !box.neighbours(of: cell).contains(where: surelyOpen.contains) {
        doubtful.insert(cell)
      }
    }
  }

  private static func cells(touchedBy path: [Spot], on ground: GroundCopy) -> (surely: Set<Int>, perhaps: Set<Int>) {
    var surely: Set<Int> = []
    var perhaps: Set<Int> = []
    for (a, b) in zip(path, path.dropFirst()) {
      let parts = max(1, Int(a.metres(to: b) * 8))
      for part in 0...parts {
        let spot = Segment(a, b).spot(at: Double(part) / Double(parts))
        if let cell = ground.cell(at: spot) { surely.insert(cell) }
        for (east, north) in [(-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)] {
          if let cell = ground.cell(at: Spot(x: spot.x + east, y: spot.y + north)) { perhaps.insert(cell) }
        }
      }
    }
    return (surely, perhaps)
  }
}

/// A box of cells with a rim of one around it, as far as the arena goes.
private struct Box {
  private let side: Int
  private let rows: ClosedRange<Int>
  private let columns: ClosedRange<Int>

  init?(_ cells: Set<Int>, side: Int) {
    guard let lowest = cells.min(), let highest = cells.max() else { return nil }
    let columns = cells.map { $0 % side }
    self.side = side
    rows = max(0, lowest / side - 1)...min(side - 1, highest / side + 1)
    self.columns = max(0, (columns.min() ?? 0) - 1)...min(side - 1, (columns.max() ?? 0) + 1)
  }

  var cells: [Int] { rows.flatMap { row in columns.map { row * side + $0 } } }

  private func isOnRim(_ cell: Int) -> Bool {
    let (row, column) = (cell / side, cell % side)
    return row == rows.lowerBound || row == rows.upperBound || column == columns.lowerBound
      || column == columns.upperBound
  }

  /// The neighbours on the four sides that are in the box.
  func neighbours(of cell: Int) -> [Int] {
    let (row, column) = (cell / side, cell % side)
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
      .filter { rows.contains($0.0) && columns.contains($0.1) }
      .map { $0.0 * side + $0.1 }
  }

  /// The cells with a way to the rim.
  func outside(of barrier: Set<Int>) -> Set<Int> {
    var open = cells.filter { isOnRim($0) && !barrier.contains($0) }
    var outside = Set(open)
    while let cell = open.popLast() {
      for next in neighbours(of: cell) where !barrier.contains(next) && outside.insert(next).inserted {
        open.append(next)
      }
    }
    return outside
  }
}
