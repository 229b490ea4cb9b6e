// The bounding box of a land, and that of a map. Players see a land's middle, and a back end may search lands by its
// box. Plain values.
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

extension LandBox {
  /// The height from south to north, in 1e-7 degree.
  package var heightE7: Int64 { lats.upperBound - lats.lowerBound }

  package func meets(_ map: MapBox) -> Bool {
    guard lats.overlaps(map.lats) else { return false }
    let parts = Self.parts(lngs)
    return map.lngs.contains { range in parts.contains { $0.overlaps(range) } }
  }
}

/// The box of a map, in 1e-7 degree.
package struct MapBox: Hashable, Sendable {
  package let lats: ClosedRange<Int64>
  /// One range of longitudes, or two for a map across the 180th meridian.
  package let lngs: [ClosedRange<Int64>]

  private static let poleE7: Int32 = 900_000_000
  private static let halfTurnE7: Int32 = 1_800_000_000

  /// A map with these sides, which lies across the 180th meridian when `westE7` is the greater one; nil where they are
  /// no box on Earth.
  package init?(southE7: Int32, westE7: Int32, northE7: Int32, eastE7: Int32) {
    guard southE7 <= northE7, southE7 >= -Self.poleE7, northE7 <= Self.poleE7,
      [westE7, eastE7].allSatisfy({ abs(Int64($0)) <= Int64(Self.halfTurnE7) })
    else { return nil }
    lats = Int64(southE7)...Int64(northE7)
    let (west, east, half) = (Int64(westE7), Int64(eastE7), Int64(Self.halfTurnE7))
    lngs = west <= east ? [west...east] : [west...half, -half...east]
  }

  package var heightE7: Int64 { lats.upperBound - lats.lowerBound }
}
