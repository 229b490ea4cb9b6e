// What has changed in a room since an earlier tick, as columns: the one message that all members get alike. A value that
// is filled again and again and keeps its memory. It holds nothing that is for one player alone.

/// The changes of a room between two ticks.
///
/// A reader applies `events` first, then rows and cursors: a game that starts in this tick clears older rows.
package struct Tick: Hashable, Sendable {
  /// Ticks since the room's clock was zero: the clock divided by the tick interval.
  package var number: UInt32 = 0
  /// The room's clock.
  package var gameMs: UInt32 = 0

  /// One row for each seat that moved or scored, ascending, in four columns of equal length.
  package var seats: [UInt32] = []
  package var latE7: [Int32] = []
  package var lngE7: [Int32] = []
  package var points: [UInt32] = []

  /// Where the arena of this game lies, when that has become known.
  package var arena: ArenaPlan?
  /// Runs of cells that have a new owner, in three columns of equal length: in rows from the south, each from the west, cell
  /// by cell and row by row, ascending.
  package var cellStarts: [UInt32] = []
  package var cellCounts: [UInt32] = []
  package var cellSeats: [UInt32] = []

  /// In the order of their numbers.
  package var events: [Event] = []
  /// Read cursors that moved: of seats, then of spectators, ascending.
  package var cursors: [Cursor] = []
  /// How many ticks this one stands for beside its own.
  package var skipped: UInt32 = 0

  package init() {}

  /// Nothing changed.
  package var isEmpty: Bool {
    seats.isEmpty && events.isEmpty && cursors.isEmpty && cellStarts.isEmpty && arena == nil
  }

  /// Empties everything and keeps the room that it takes.
  package mutating func reset() {
    number = 0
    gameMs = 0
    seats.removeAll(keepingCapacity: true)
    latE7.removeAll(keepingCapacity: true)
    lngE7.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
    arena = nil
    cellStarts.removeAll(keepingCapacity: true)
    cellCounts.removeAll(keepingCapacity: true)
    cellSeats.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    cursors.removeAll(keepingCapacity: true)
    skipped = 0
  }

  mutating func appendRow(seat: Int, at coordinate: Coordinate, points seatPoints: UInt32) {
    seats.append(UInt32(seat))
    latE7.append(coordinate.latE7)
    lngE7.append(coordinate.lngE7)
    points.append(seatPoints)
  }

  /// Appends cells that lie behind all that are here, to the last run where they go on with it.
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
