// The newest row of each seat of a large room, in columns: they are looked through once for each vicinity. A value that
// is refilled for each tick and keeps its memory.

/// The rows of all seats with a position.
package struct NewestRows: Sendable {
  private var seats: [Int] = []
  private var places: [Coordinate] = []
  private var points: [UInt32] = []
  /// The broadcasts that carried the rows last.
  private var broadcasts: [UInt64] = []
  /// By seat; nil without a position.
  private var vicinities: [Vicinity?] = []

  /// With all rows in so small a square it takes fewer bytes to tell everybody each of them at once.
  private static let gatheredMm: Int64 = 300_000

  package init() {}

  mutating func removeAll() {
    seats.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
    broadcasts.removeAll(keepingCapacity: true)
    vicinities.removeAll(keepingCapacity: true)
  }

  /// Appends a seat, in ascending order; without a position it has no row.
  mutating func append(seat: Int, at place: Coordinate?, points seatPoints: UInt32, broadcast: UInt64) {
    vicinities.append(place.map(Vicinity.init))
    guard let place else { return }
    seats.append(seat)
    places.append(place)
    points.append(seatPoints)
    broadcasts.append(broadcast)
  }

  /// The vicinity of a seat's position; nil without one.
  package func vicinity(ofSeat seat: Int) -> Vicinity? {
    vicinities.indices.contains(seat) ? vicinities[seat] : nil
  }

  /// Whether all rows lie in a square of 300 m: nearly everybody is near everybody.
  package var isGathered: Bool {
    guard let first = places.first else { return true }
    var (southWest, northEast) = (first, first)
    for place in places {
      southWest.latE7 = min(southWest.latE7, place.latE7)
      southWest.lngE7 = min(southWest.lngE7, place.lngE7)
      northEast.latE7 = max(northEast.latE7, place.latE7)
      northEast.lngE7 = max(northEast.lngE7, place.lngE7)
    }
    let northWest = Coordinate(latE7: northEast.latE7, lngE7: southWest.lngE7)
    return Geodesy.isWithin(Self.gatheredMm, southWest, northWest)
      && Geodesy.isWithin(Self.gatheredMm, northWest, northEast)
  }

  /// Appends the rows that later broadcasts have carried: those near a vicinity, or all.
  func append(after broadcast: UInt64, near vicinity: Vicinity?, to tick: inout Tick) {
    for index in seats.indices where broadcasts[index] > broadcast {
      if let vicinity, !vicinity.isNear(places[index]) { continue }
      tick.appendRow(seat: seats[index], at: places[index], points: points[index])
    }
  }
}

extension RoomGame {
  /// The newest rows of all seats.
  func newestRows(into rows: inout NewestRows) {
    rows.removeAll()
    for seat in runners.indices {
      rows.append(
        seat: seat,
        at: runners[seat].position,
        points: mode.points(of: seat),
        broadcast: runners[seat].rowBroadcast
      )
    }
  }
}
