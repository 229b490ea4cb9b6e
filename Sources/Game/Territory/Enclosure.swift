// The cells that a closed path encloses: by its polygon, or by the lack of a way out. Pure functions, exact in whole
// numbers.
// Decisions: 034 (docs/decisions).

extension Arena {
  /// Twice the area of a polygon, in mm².
  static func doubledAreaMm2(_ polygon: Polygon) -> Int64 {
    guard var last = polygon.last else { return 0 }
    var sum: Int64 = 0
    for point in polygon {
      sum += Int64(last.x) * Int64(point.y) - Int64(point.x) * Int64(last.y)
      last = point
    }
    return abs(sum)
  }

  /// The cells whose middle lies in a polygon, by the even-odd rule. A middle on an edge is inside when the place just
  /// to its west is, or just to its north where the edge runs east and west.
  func cells(in polygon: Polygon) -> CellMask {
    var mask = CellMask(side: cells)
    guard var last = polygon.last else { return mask }
    for point in polygon {
      toggle(last, point, in: &mask)
      last = point
    }
    return mask
  }

  /// Toggles, in each row whose middle line an edge crosses, the cells whose middle lies east of it.
  private func toggle(_ a: ArenaPoint, _ b: ArenaPoint, in mask: inout CellMask) {
    guard a.y != b.y else { return }
    let (low, high) = a.y < b.y ? (a, b) : (b, a)
    let cell = Int64(cellMm)
    let height = Int64(high.y) - Int64(low.y)
    let width = Int64(high.x) - Int64(low.x)
    // The first middle line not below the edge's lower end; all in halves of a millimetre.
    var row = (2 * Int64(low.y) + cell - 1) / (2 * cell)
    while (2 * row + 1) * cell < 2 * Int64(high.y) {
      let along = (2 * row + 1) * cell - 2 * Int64(low.y)
      // The crossing times the height; a middle is east of it from this column on.
      let crossing = 2 * Int64(low.x) * height + along * width
      let column = Self.floor(crossing - cell * height, by: 2 * cell * height) + 1
      mask.toggle(row: Int(row), fromColumn: Int(column))
      row += 1
    }
  }

  /// Adds the cells that a step passes through. A cell has its southern and its western edge.
  func insert(stepFrom a: ArenaPoint, to b: ArenaPoint, into mask: inout CellMask) {
    let (low, high) = a.y < b.y ? (a, b) : (b, a)
    let cell = Int64(cellMm)
    let height = Int64(high.y) - Int64(low.y)
    let width = Int64(high.x) - Int64(low.x)
    guard height > 0 else {
      let columns = min(column(of: a), column(of: b))...max(column(of: a), column(of: b))
      return mask.insert(row: row(of: a), columns: columns)
    }
    /// The step's position at a height above its lower end, in cells times `height`.
    func crossing(_ above: Int64) -> Int64 { Int64(low.x) * height + above * width }
    for row in row(of: low)...row(of: high) {
      let bottom = max(0, Int64(row) * cell - Int64(low.y))
      let top = min(height, Int64(row + 1) * cell - Int64(low.y))
      let first = Self.floor(crossing(bottom), by: cell * height)
      // The row's northern edge is the next row's: a step to the east ends just before its crossing of that edge.
      let isShort = top == Int64(row + 1) * cell - Int64(low.y) && width > 0
      let last = Self.floor(crossing(top) - (isShort ? 1 : 0), by: cell * height)
      mask.insert(row: row, columns: Int(min(first, last))...Int(max(first, last)))
    }
  }

  private static func floor(_ dividend: Int64, by divisor: Int64) -> Int64 {
    dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor)
  }
}

extension CellGrid {
  /// The cells that a seat would have if a path came home: all without a way to the outside except through its own
  /// cells and those of the path.
  func enclosed(by seat: Int, path: CellMask) -> CellMask {
    var enclosed = CellMask(side: side)
    guard var window = path.window else { return enclosed }
    if let own = windows[seat] { window.add(own) }
    var own = enclosed
    var barrier = path
    for row in window.rows {
      for index in row * wordsPerRow + window.words.lowerBound...row * wordsPerRow + window.words.upperBound {
        own.words[index] = held(by: seat, word: index)
        barrier.words[index] |= own.words[index]
      }
    }
    let outside = CellMask.outside(of: barrier, in: window)
    for row in window.rows where !window.isOutermost(row: row) {
      for word in window.words {
        let index = row * wordsPerRow + word
        let beyond = outside.neighbours(row: row, word: word) | path.edgeBits(word, of: window)
        let waysOut = outside.words[index] | path.words[index] & beyond
        enclosed.words[index] = path.cellBits(word) & ~waysOut & ~own.words[index]
      }
    }
    return enclosed
  }

  /// Gives cells to a seat; returns the number that it did not have.
  mutating func give(_ cells: CellMask, to seat: Int) -> Int {
    var taken = 0
    for word in cells.words.indices where cells.words[word] != 0 {
      taken += Int(give(cells.words[word], word: word, to: seat))
    }
    return taken
  }
}
