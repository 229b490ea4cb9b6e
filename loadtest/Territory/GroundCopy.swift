// A client's copy of a territory room's cells, kept as PROTOCOL.md tells clients to: whole runs are replaced.
//
// A value. What the server sends is checked for its form, and nothing of it is believed beyond that.

/// Who holds which cell.
package struct GroundCopy: Equatable, Sendable {
  /// How many cells there are to a side.
  package let side: Int
  /// The side of a cell.
  package let cellM: Double
  /// By cell: 0 for nobody, else the seat and one.
  private var holders: [UInt8]
  /// How many cells each seat holds.
  package private(set) var counts: [Int]

  private static let seatsMax = 200

  /// Cells that nobody holds.
  package init(side: Int, cellM: Double) {
    self.side = side
    self.cellM = cellM
    holders = Array(repeating: 0, count: side * side)
    counts = Array(repeating: 0, count: Self.seatsMax)
  }

  package var cellAreaM2: Double { cellM * cellM }

  /// Replaces the holders of runs of cells; `changed` is told of each cell that had another before. False, and nothing
  /// is replaced, when the runs are not what the protocol says.
  package mutating func apply(
    starts: [UInt32],
    counts: [UInt32],
    seats: [UInt32],
    _ changed: (_ cell: Int, _ before: Int?, _ seat: Int) -> Void = { _, _, _ in }
  ) -> Bool {
    guard areRuns(starts, counts, seats) else { return false }
    for (index, start) in starts.enumerated() {
      let seat = Int(seats[index])
      for cell in Int(start)..<Int(start) + Int(counts[index]) where holders[cell] != UInt8(seat + 1) {
        let before = holder(of: cell)
        if let before { self.counts[before] -= 1 }
        self.counts[seat] += 1
        holders[cell] = UInt8(seat + 1)
        changed(cell, before, seat)
      }
    }
    return true
  }

  /// Columns of equal length; runs ascending, of one cell or more, within the grid, of seats that can be.
  private func areRuns(_ starts: [UInt32], _ counts: [UInt32], _ seats: [UInt32]) -> Bool {
    guard starts.count == counts.count, starts.count == seats.count else { return false }
    var end: UInt64 = 0
    for (index, start) in starts.enumerated() {
      guard start >= end, counts[index] > 0, seats[index] < Self.seatsMax else { return false }
      end = UInt64(start) + UInt64(counts[index])
    }
    return end <= UInt64(side * side)
  }

  package func holder(of cell: Int) -> Int? {
    holders[cell] == 0 ? nil : Int(holders[cell]) - 1
  }

  /// The cells of one seat, or those of all others.
  func cells(heldBy seat: Int) -> [Int] {
    holders.indices.filter { holders[$0] == UInt8(seat + 1) }
  }

  func cells(heldByOthersThan seat: Int) -> [Int] {
    holders.indices.filter { holders[$0] != 0 && holders[$0] != UInt8(seat + 1) }
  }

  func row(of cell: Int) -> Int { cell / side }
  func column(of cell: Int) -> Int { cell % side }

  private var halfM: Double { Double(side) * cellM / 2 }

  /// The cell in which a place lies; nil outside the arena.
  package func cell(at spot: Spot) -> Int? {
    let (row, column) = (((spot.y + halfM) / cellM).rounded(.down), ((spot.x + halfM) / cellM).rounded(.down))
    guard row >= 0, column >= 0, row < Double(side), column < Double(side) else { return nil }
    return Int(row) * side + Int(column)
  }

  package func middle(of cell: Int) -> Spot {
    Spot(
      x: (Double(column(of: cell)) + 0.5) * cellM - halfM,
      y: (Double(row(of: cell)) + 0.5) * cellM - halfM
    )
  }

  /// Whether a place lies in the arena, and so far from its edge.
  func contains(_ spot: Spot, marginM: Double) -> Bool {
    abs(spot.x) <= halfM - marginM && abs(spot.y) <= halfM - marginM
  }

  package func isHeld(by seat: Int, at spot: Spot) -> Bool {
    cell(at: spot).flatMap(holder) == seat
  }

  /// Whether a millimetre decides if a place lies on a seat's ground.
  func isOnEdge(_ spot: Spot, ofGroundOf seat: Int) -> Bool {
    let isHeld = isHeld(by: seat, at: spot)
    let reach = Spot.unclearM
    for (east, north) in [(-reach, -reach), (-reach, reach), (reach, -reach), (reach, reach)]
    where self.isHeld(by: seat, at: Spot(x: spot.x + east, y: spot.y + north)) != isHeld {
      return true
    }
    return false
  }
}
