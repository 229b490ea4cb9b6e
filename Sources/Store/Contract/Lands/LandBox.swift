// The bounding box of a land. Players see its middle, and a back end may search lands by it. A plain value.
import Game

/// The bounding box of a land, in 1e-7 degree. A land across the 180th meridian has the narrower of the two boxes.
package struct LandBox: Sendable {
  package let lats: ClosedRange<Int64>
  /// The range of longitudes around the first vertex's; it may go beyond ±180°.
  package let lngs: ClosedRange<Int64>

  private static let halfTurnE7: Int64 = 1_800_000_000

  package init(of land: Land) {
    let first = Int64(land.vertices[0].lngE7)
    var (low, high) = (land.vertices[0].latE7, land.vertices[0].latE7)
    var (west, east) = (first, first)
    for vertex in land.vertices {
      var lng = Int64(vertex.lngE7)
      if lng - first > Self.halfTurnE7 { lng -= 2 * Self.halfTurnE7 }
      if first - lng > Self.halfTurnE7 { lng += 2 * Self.halfTurnE7 }
      (low, high) = (min(low, vertex.latE7), max(high, vertex.latE7))
      (west, east) = (min(west, lng), max(east, lng))
    }
    lats = Int64(low)...Int64(high)
    lngs = west...east
  }

  package var middle: Coordinate {
    var lng = (lngs.lowerBound + lngs.upperBound) / 2
    if lng > Self.halfTurnE7 { lng -= 2 * Self.halfTurnE7 }
    if lng < -Self.halfTurnE7 { lng += 2 * Self.halfTurnE7 }
    return Coordinate(latE7: Int32((lats.lowerBound + lats.upperBound) / 2), lngE7: Int32(lng))
  }

  /// Splits longitudes that may go beyond ±180° into one or two ranges within ±180°.
  package static func parts(_ lngs: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    let turn = 2 * halfTurnE7
    if lngs.upperBound > halfTurnE7 {
      return [lngs.lowerBound...halfTurnE7, -halfTurnE7...lngs.upperBound - turn]
    }
    if lngs.lowerBound < -halfTurnE7 {
      return [-halfTurnE7...lngs.upperBound, lngs.lowerBound + turn...halfTurnE7]
    }
    return [lngs]
  }
}
