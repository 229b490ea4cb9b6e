// The newest footprints of a room, packed for whole states: whoever comes in or comes back sees where everybody has
// been. A value, made for one state.

/// Footprints in columns: for each seat a stretch of the last two columns, in the order in which they scored.
package struct FootprintColumns: Sendable {
  /// The newest footprints of one seat, at most.
  package static let ofSeatMax = RecentFootprints.countMax
  /// The footprints of one state, at most: in a crowd each seat has fewer.
  package static let max = 2_048

  package private(set) var seats: [UInt32] = []
  package private(set) var counts: [UInt32] = []
  /// The differences from the footprint before; the first of a seat in full. Sums are of 32 bits, and wrap.
  package private(set) var latE7: [Int32] = []
  package private(set) var lngE7: [Int32] = []

  /// The newest footprints of a room's newest game, outside the lobby; none in other modes.
  package init(of room: borrowing Room) {
    guard room.phase != .lobby, room.configuration.mode == .footprint else { return }
    let taken = room.game.runners.count
    let count = min(Self.ofSeatMax, Self.max / Swift.max(1, taken))
    for seat in 0..<taken { append(seat: seat, room.game.footprints(of: seat).newest(count)) }
  }

  /// Appends the footprints of a seat, in the order in which they scored.
  private mutating func append(seat: Int, _ footprints: ArraySlice<Coordinate>) {
    guard !footprints.isEmpty else { return }
    seats.append(UInt32(seat))
    counts.append(UInt32(footprints.count))
    var last = Coordinate(latE7: 0, lngE7: 0)
    for footprint in footprints {
      latE7.append(footprint.latE7 &- last.latE7)
      lngE7.append(footprint.lngE7 &- last.lngE7)
      last = footprint
    }
  }
}
