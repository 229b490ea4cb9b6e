// One part of a tick: its content for members who get the same. Values. Members of a small room who take each tick
// need none: the tick is theirs as it is.

/// The part of a room that a member has: everything that broadcasts and events up to these numbers have carried.
package struct TickMark: Hashable, Sendable {
  package let broadcastNumber: UInt64
  package let eventNumber: UInt32

  package init(broadcastNumber: UInt64, eventNumber: UInt32) {
    self.broadcastNumber = broadcastNumber
    self.eventNumber = eventNumber
  }
}

/// A part of a tick, by what its receivers have and which rows they are due. The same part is the same message.
package struct TickPart: Hashable, Sendable {
  package enum Rows: Hashable, Sendable {
    /// Nothing but events: no row, cursor or cell.
    case events
    /// No rows, but everything else.
    case without
    /// The rows near a vicinity.
    case near(Vicinity)
    /// All rows that later broadcasts than this have carried.
    case all(after: UInt64)
  }

  package let after: TickMark
  package let rows: Rows

  package init(after mark: TickMark, _ rows: Rows) {
    after = mark
    self.rows = rows
  }
}

// The order has no meaning: it brings equal ones together, and those with the same mark.
extension TickPart: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    let (a, b) = (left.after, right.after)
    guard a == b else { return (a.broadcastNumber, a.eventNumber) < (b.broadcastNumber, b.eventNumber) }
    return switch (left.rows, right.rows) {
    case (.near(let one), .near(let other)): one < other
    case (.all(let one), .all(let other)): one < other
    default: left.rows.rank < right.rows.rank
    }
  }
}

extension TickPart.Rows {
  fileprivate var rank: Int {
    switch self {
    case .events: 0
    case .without: 1
    case .near: 2
    case .all: 3
    }
  }
}

extension Tick {
  /// Takes everything of another tick that this part has, but its rows; this one's rows are removed.
  mutating func take(_ rows: TickPart.Rows, of other: Tick) {
    let (seats, latE7, lngE7, points) = (seats, latE7, lngE7, points)
    self = other
    (self.seats, self.latE7, self.lngE7, self.points) = (seats, latE7, lngE7, points)
    removeRows()
    guard case .events = rows else { return }
    arena = nil
    order = []
    cellStarts = []
    cellCounts = []
    cellSeats = []
    cursors = []
    skipped = 0
  }

  private mutating func removeRows() {
    seats.removeAll(keepingCapacity: true)
    latE7.removeAll(keepingCapacity: true)
    lngE7.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
  }

  /// Whether so much besides rows has changed that it should be encoded once for all, with all rows.
  package var isHeavy: Bool {
    let bytes = events.reduce(0) { $0 + $1.body.estimatedBytes } + cellStarts.count * Self.runBytes
    return bytes > Self.heavyBytes
  }

  private static let heavyBytes = 1_024
  /// A run of cells in JSON.
  private static let runBytes = 12
}
