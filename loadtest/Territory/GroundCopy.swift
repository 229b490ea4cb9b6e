// A client's copy of a territory room's cells, kept by PROTOCOL.md's rules for clients: whole runs are replaced.
//
// A value. The server's data is checked for its form and otherwise not trusted.

/// The holder of each cell.
package struct GroundCopy: Equatable, Sendable {
  /// The number of cells to a side.
  package let side: Int
  /// The side of a cell.
  package let cellM: Double
  /// The holders by cell: 0 for nobody, else the seat plus one.
  private var holders: [UInt8]
  /// The number of cells of each seat.
  package private(set) var counts: [Int]

  private static let seatsMax = 200

  /// A ground without holders.
  package init(side: Int, cellM: Double) {
    self.side = side
    self.cellM = cellM
    holders = Array(repeating: 0, count: side * side)
    counts = Array(repeating: 0, count: Self.seatsMax)
  }

  package var cellAreaM2: Double { cellM * cellM }

  /// Replaces the holders of runs of cells; calls `changed` for each cell that had another. False, and nothing is
  /// replaced, when the runs break the protocol.
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

  /// Whether the columns have equal length, and the runs ascend, have one cell or more, lie within the grid, and name
  /// possible seats.
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

  /// Whether a place lies in the arena, so far from its edge.
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
