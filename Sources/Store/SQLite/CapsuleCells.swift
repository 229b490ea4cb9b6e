// The tree of cells over the capsules for everyone: it finds the nearest and the furthest of any number of them, and
// counts them for a map. A cell with more capsules than `leafMax` is split into its cells two levels below; one with
// fewer than half as many is joined again. Inside the commit that changes the capsules, behind their rows.
// Decisions: 112 (docs/decisions).
import GRDB
import Game

struct CapsuleCells {
  /// More capsules split a cell.
  static let leafMax: Int64 = 32
  /// The levels between a cell and those that it is split into.
  static let levelStep = 2

  let db: Database

  /// Counts a capsule, whose row is there and for everyone.
  func add(_ code: PlaceCode) throws {
    var cell = PlaceCell(code, level: 0)
    while true {
      guard let (isSplit, count) = try count(PlaceSum(count: 1, x: code.x, y: code.y), in: cell) else {
        return try insert(cell, PlaceSum(count: 1, x: code.x, y: code.y))
      }
      guard isSplit else {
        if count > Self.leafMax { try split(cell) }
        return
      }
      cell = PlaceCell(code, level: cell.level + Self.levelStep)
    }
  }

  /// Takes a capsule away that was counted; its row may be gone.
  func remove(_ code: PlaceCode) throws {
    var path: [PlaceCell] = []
    for level in stride(from: 0, through: PlaceCell.levelMax, by: Self.levelStep) {
      let cell = PlaceCell(code, level: level)
      let found = try db.row(
        "SELECT capsules_count, is_split FROM capsule_cells WHERE level = ? AND first = ?",
        cell.level,
        cell.first
      )
      guard let row = found else { throw StoreFailure.corrupt("a capsule is in no cell") }
      if try row.value(0, Int64.self) > 1 {
        try count(PlaceSum(count: -1, x: -code.x, y: -code.y), in: cell)
      } else {
        try db.run("DELETE FROM capsule_cells WHERE level = ? AND first = ?", cell.level, cell.first)
      }
      guard try row.value(1, Bool.self) else { break }
      path.append(cell)
    }
    for cell in path.reversed() { try joinIfSmall(cell) }
  }

  /// Adds to a cell's sums; returns whether it is split, and its count; nil where there is no such cell.
  @discardableResult
  private func count(_ sum: PlaceSum, in cell: PlaceCell) throws -> (isSplit: Bool, count: Int64)? {
    let row = try db.row(
      """
      UPDATE capsule_cells SET capsules_count = capsules_count + ?, x_sum = x_sum + ?, y_sum = y_sum + ?
      WHERE level = ? AND first = ? RETURNING is_split, capsules_count
      """,
      sum.count,
      sum.x,
      sum.y,
      cell.level,
      cell.first
    )
    return try row.map { (try $0.value(0), try $0.value(1)) }
  }

  private func insert(_ cell: PlaceCell, _ sum: PlaceSum) throws {
    try db.run(
      "INSERT INTO capsule_cells (level, first, is_split, capsules_count, x_sum, y_sum) VALUES (?, ?, 0, ?, ?, ?)",
      cell.level,
      cell.first,
      sum.count,
      sum.x,
      sum.y
    )
  }

  private func split(_ cell: PlaceCell) throws {
    // Capsules at one place are not told apart.
    guard cell.level < PlaceCell.levelMax else { return }
    try db.run("UPDATE capsule_cells SET is_split = 1 WHERE level = ? AND first = ?", cell.level, cell.first)
    let rows = try db.rows(
      "SELECT code FROM capsules WHERE is_for_everyone = 1 AND code BETWEEN ? AND ? ORDER BY code",
      cell.first,
      cell.last
    )
    var sums: [PlaceCell: PlaceSum] = [:]
    for row in rows {
      let code = try row.code(0)
      sums[PlaceCell(code, level: cell.level + Self.levelStep), default: PlaceSum()] += code
    }
    for (part, sum) in sums.sorted(by: { $0.key < $1.key }) {
      try insert(part, sum)
      if sum.count > Self.leafMax { try split(part) }
    }
  }

  /// Joins a split cell that has few capsules left. All cells below it are whole.
  private func joinIfSmall(_ cell: PlaceCell) throws {
    let joined = try db.run(
      "UPDATE capsule_cells SET is_split = 0 WHERE level = ? AND first = ? AND capsules_count <= ?",
      cell.level,
      cell.first,
      Self.leafMax / 2
    )
    guard joined > 0 else { return }
    try db.run(
      "DELETE FROM capsule_cells WHERE level = ? AND first BETWEEN ? AND ?",
      cell.level + Self.levelStep,
      cell.first,
      cell.last
    )
  }
}

/// A cell of the tree as it is stored.
struct CountedCell {
  let cell: PlaceCell
  let isSplit: Bool
  let sum: PlaceSum
}

extension Database {
  /// The cell of the whole map; none without capsules for everyone.
  func rootCell() throws -> CountedCell? {
    try countedCells(level: 0, from: 0, through: .max).first
  }

  /// The cells that a cell is split into.
  func parts(of cell: PlaceCell) throws -> [CountedCell] {
    try countedCells(level: cell.level + CapsuleCells.levelStep, from: cell.first, through: cell.last)
  }

  private func countedCells(level: Int, from first: Int64, through last: Int64) throws -> [CountedCell] {
    let rows = try Row.fetchCursor(
      cachedStatement(
        sql: """
          SELECT first, is_split, capsules_count, x_sum, y_sum FROM capsule_cells
          WHERE level = ? AND first BETWEEN ? AND ? ORDER BY first
          """
      ),
      arguments: [level, first, last]
    )
    var cells: [CountedCell] = []
    while let row = try rows.next() {
      cells.append(
        CountedCell(
          cell: PlaceCell(try row.code(0), level: level),
          isSplit: try row.number(1) == 1,
          sum: PlaceSum(count: try row.number(2), x: try row.number(3), y: try row.number(4))
        )
      )
    }
    return cells
  }
}
