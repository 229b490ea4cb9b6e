// The changes of a room since an earlier tick, as columns: the one message that is the same for all members. A value
// that is refilled and keeps its memory. It holds nothing for one player alone.

/// The changes of a room between two ticks.
///
/// A reader applies `events` first, then rows and cursors: a game that starts in this tick clears older rows.
package struct Tick: Hashable, Sendable {
  /// The ticks since the room's clock was zero: the clock divided by the tick interval.
  package var number: UInt32 = 0
  /// The room's clock.
  package var gameMs: UInt32 = 0

  /// One row for each seat that moved or scored, ascending, in four columns of equal length.
  package var seats: [UInt32] = []
  package var latE7: [Int32] = []
  package var lngE7: [Int32] = []
  package var points: [UInt32] = []

  /// The seats of the best players, best first, when their order has changed; at most ten.
  package var order: [UInt32] = []

  /// The position of this game's arena, when it has become known.
  package var arena: ArenaPlan?
  /// Runs of cells that have a new owner, in three columns of equal length: in rows from the south, each from the west,
  /// cell by cell and row by row, ascending.
  package var cellStarts: [UInt32] = []
  package var cellCounts: [UInt32] = []
  package var cellSeats: [UInt32] = []

  /// The events in the order of their numbers.
  package var events: [Event] = []
  /// Read cursors that moved: of seats, then of spectators, ascending.
  package var cursors: [Cursor] = []
  /// The number of ticks that this one replaces besides its own.
  package var skipped: UInt32 = 0

  package init() {}

  /// Whether nothing changed.
  package var isEmpty: Bool {
    seats.isEmpty && events.isEmpty && cursors.isEmpty && cellStarts.isEmpty && arena == nil
      && order.isEmpty
  }

  /// Empties everything and keeps the capacity. Every input resets a tick that is empty nearly always.
  package mutating func reset() {
    if isEmpty, number == 0, gameMs == 0, skipped == 0 { return }
    number = 0
    gameMs = 0
    if !seats.isEmpty {
      seats.removeAll(keepingCapacity: true)
      latE7.removeAll(keepingCapacity: true)
      lngE7.removeAll(keepingCapacity: true)
      points.removeAll(keepingCapacity: true)
    }
    arena = nil
    if !order.isEmpty { order.removeAll(keepingCapacity: true) }
    if !cellStarts.isEmpty {
      cellStarts.removeAll(keepingCapacity: true)
      cellCounts.removeAll(keepingCapacity: true)
      cellSeats.removeAll(keepingCapacity: true)
    }
    if !events.isEmpty { events.removeAll(keepingCapacity: true) }
    if !cursors.isEmpty { cursors.removeAll(keepingCapacity: true) }
    skipped = 0
  }

  mutating func appendRow(seat: Int, at coordinate: Coordinate, points seatPoints: UInt32) {
    seats.append(UInt32(seat))
    latE7.append(coordinate.latE7)
    lngE7.append(coordinate.lngE7)
    points.append(seatPoints)
  }

  /// Appends cells that follow all present ones, to the last run where they continue it.
  mutating func appendCells(start: Int, count: Int, seat: Int) {
    let last = cellStarts.count - 1
    if last >= 0, cellSeats[last] == UInt32(seat), cellStarts[last] + cellCounts[last] == UInt32(start) {
      cellCounts[last] += UInt32(count)
    } else {
      cellStarts.append(UInt32(start))
      cellCounts.append(UInt32(count))
      cellSeats.append(UInt32(seat))
    }
  }
}
