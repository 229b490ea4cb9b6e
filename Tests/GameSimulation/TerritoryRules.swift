// The rules of territory mode that hold after every step: the owners of cells, their runs in ticks, and their points.
// Part of `Rules`.
import Game

extension Rules {
  /// Checks that each cell has one owner or none, and that points are cells.
  func checkCells(_ room: Room, _ rows: Tick, after tick: Tick) throws(Violation) {
    guard let plan = room.arena else { throw Violation(description: "no arena") }
    try Self.checkRuns(tick, plan, seats: room.configuration.capacity)
    for case .captured(_, .area(let m2)) in tick.events.map(\.body) {
      try Violation.unless(m2 > 0 && Int(m2) % plan.cellAreaM2 == 0, "\(m2) m² were captured")
    }
    var state = Tick()
    room.appendCells(to: &state)
    try Self.checkRuns(state, plan, seats: room.configuration.capacity)
    var held: [UInt32: UInt32] = [:]
    for run in state.cellStarts.indices {
      held[state.cellSeats[run], default: 0] += state.cellCounts[run]
    }
    for (seat, points) in zip(rows.seats, rows.points) {
      let cells = held.removeValue(forKey: seat) ?? 0
      try Violation.unless(points == cells * UInt32(plan.cellAreaM2), "\(points) points for \(cells) cells")
      for row in room.board where row.seat == seat {
        try Violation.unless(row.points == points, "the board has \(row.points) points for \(cells) cells")
      }
    }
    try Violation.unless(erasedSeats.isSuperset(of: held.keys), "a seat without a position holds cells")
  }

  /// Checks for three columns of equal length, ascending, with no cell twice and none outside the arena.
  private static func checkRuns(_ tick: Tick, _ plan: ArenaPlan, seats: Int) throws(Violation) {
    let runs = tick.cellStarts.count
    try Violation.unless(tick.cellCounts.count == runs && tick.cellSeats.count == runs, "columns of unequal length")
    var end: UInt32 = 0
    var owner: UInt32?
    for run in 0..<runs {
      let start = tick.cellStarts[run]
      try Violation.unless(start >= end && tick.cellCounts[run] > 0, "runs out of order")
      try Violation.unless(start > end || tick.cellSeats[run] != owner, "two runs for one")
      try Violation.unless(tick.cellSeats[run] < UInt32(seats), "cells of no seat")
      owner = tick.cellSeats[run]
      end = start + tick.cellCounts[run]
    }
    try Violation.unless(end <= UInt32(plan.cells * plan.cells), "cells outside the arena")
  }
}
