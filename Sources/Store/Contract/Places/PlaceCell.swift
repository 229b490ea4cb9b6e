// Cells of the map: squares of degrees, each of them four of the next level, numbered so that all places of a cell have
// consecutive numbers (Morton, 1966). Pure. A back end may search by them; the clusters of a map are theirs by
// contract.
// Decisions: 112 (docs/decisions).
import Game

/// The number of a place: the bits of its offsets from the south-west corner of the map, in turn.
package struct PlaceCode: Hashable, Comparable, Sendable {
  package let value: Int64

  package init(value: Int64) {
    self.value = value
  }

  package init(_ place: Coordinate) {
    let x = UInt64(Int64(place.lngE7) + Self.halfTurnE7)
    let y = UInt64(Int64(place.latE7) + Self.poleE7)
    value = Int64(Self.spread(x) | Self.spread(y) << 1)
  }

  /// Nil for a number of no place on Earth.
  package var place: Coordinate? {
    guard value >= 0 else { return nil }
    let lng = x - Self.halfTurnE7
    let lat = y - Self.poleE7
    guard lng <= Self.halfTurnE7, lat <= Self.poleE7 else { return nil }
    return Coordinate(latE7: Int32(lat), lngE7: Int32(lng))
  }

  /// The offset to the east of the 180th meridian; 0 to 3,600,000,000.
  package var x: Int64 { Int64(Self.gathered(UInt64(bitPattern: value))) }
  /// The offset to the north of the pole; 0 to 1,800,000,000.
  package var y: Int64 { Int64(Self.gathered(UInt64(bitPattern: value) >> 1)) }

  package static func < (left: PlaceCode, right: PlaceCode) -> Bool { left.value < right.value }

  package static let halfTurnE7: Int64 = 1_800_000_000
  package static let poleE7: Int64 = 900_000_000

  /// The lower 32 bits, a zero before each.
  private static func spread(_ bits: UInt64) -> UInt64 {
    var bits = bits & 0xFFFF_FFFF
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  private static func gathered(_ bits: UInt64) -> UInt64 {
    var bits = bits & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
  }
}

/// A cell of the map. At level 0 it is the whole map, at level 32 one place.
package struct PlaceCell: Hashable, Comparable, Sendable {
  package let level: Int
  /// The lowest number of its places.
  package let first: Int64

  package static let levelMax = 32

  /// The cell of a level that has a place.
  package init(_ code: PlaceCode, level: Int) {
    self.level = level
    first = code.value & ~Self.mask(level)
  }

  /// The greatest number of its places.
  package var last: Int64 { first | Self.mask(level) }

  private static func mask(_ level: Int) -> Int64 {
    level == 0 ? .max : 1 << Int64(2 * (levelMax - level)) - 1
  }

  package static func < (left: PlaceCell, right: PlaceCell) -> Bool {
    (left.level, left.first) < (right.level, right.first)
  }

  /// The length of its sides, in 1e-7 degree.
  package var sideE7: Int64 { 1 << Int64(Self.levelMax - level) }

  /// The latitudes of its places; the uppermost cells of the map go on beyond the pole.
  package var lats: ClosedRange<Int64> {
    let south = PlaceCode(value: first).y - PlaceCode.poleE7
    return south...south + sideE7 - 1
  }

  /// The longitudes of its places; the easternmost cells of the map go on beyond the 180th meridian.
  package var lngs: ClosedRange<Int64> {
    let west = PlaceCode(value: first).x - PlaceCode.halfTurnE7
    return west...west + sideE7 - 1
  }
}

/// A map's cells for clusters: those that meet its box, at the deepest level where they are at most 256.
package struct PlaceGrid: Hashable, Sendable {
  package let level: Int
  private let map: MapBox
  /// The ranges of longitudes; a place on the 180th meridian lies on both sides of it.
  private let lngs: [ClosedRange<Int64>]

  package static let cellsMax = 256

  package init(_ map: MapBox) {
    self.map = map
    var lngs = map.lngs
    let half = PlaceCode.halfTurnE7
    if lngs.contains(where: { $0.lowerBound == -half }) && !lngs.contains(where: { $0.upperBound == half }) {
      lngs.append(half...half)
    }
    if lngs.contains(where: { $0.upperBound == half }) && !lngs.contains(where: { $0.lowerBound == -half }) {
      lngs.append(-half...(-half))
    }
    self.lngs = lngs
    level = (0...PlaceCell.levelMax).last { Self.cellCount(map.lats, lngs, level: $0) <= Self.cellsMax } ?? 0
  }

  private static func cellCount(_ lats: ClosedRange<Int64>, _ lngs: [ClosedRange<Int64>], level: Int) -> Int64 {
    let bits = Int64(PlaceCell.levelMax - level)
    func count(_ range: ClosedRange<Int64>, _ offset: Int64) -> Int64 {
      (range.upperBound + offset) >> bits - (range.lowerBound + offset) >> bits + 1
    }
    return count(lats, PlaceCode.poleE7) * lngs.reduce(0) { $0 + count($1, PlaceCode.halfTurnE7) }
  }

  package func contains(_ place: Coordinate) -> Bool {
    map.lats.contains(Int64(place.latE7)) && lngs.contains { $0.contains(Int64(place.lngE7)) }
  }

  package func meets(_ cell: PlaceCell) -> Bool {
    map.lats.overlaps(cell.lats) && lngs.contains { $0.overlaps(cell.lngs) }
  }

  /// Whether all places of a cell lie in the box.
  package func contains(_ cell: PlaceCell) -> Bool {
    let (lats, east) = (cell.lats, cell.lngs)
    // Beyond the map there is no place.
    let north = min(lats.upperBound, PlaceCode.poleE7)
    return map.lats.lowerBound <= lats.lowerBound && north <= map.lats.upperBound
      && lngs.contains {
        $0.lowerBound <= east.lowerBound && min(east.upperBound, PlaceCode.halfTurnE7) <= $0.upperBound
      }
  }
}

/// The sums of some places, for their mean.
package struct PlaceSum: Hashable, Sendable {
  package var count: Int64
  /// The sums of the offsets of `PlaceCode`.
  package var x: Int64
  package var y: Int64

  package init(count: Int64 = 0, x: Int64 = 0, y: Int64 = 0) {
    self.count = count
    self.x = x
    self.y = y
  }

  package static func += (sum: inout PlaceSum, code: PlaceCode) { sum += PlaceSum(count: 1, x: code.x, y: code.y) }

  package static func += (sum: inout PlaceSum, other: PlaceSum) {
    sum.count += other.count
    sum.x += other.x
    sum.y += other.y
  }

  /// The cluster of at least one place.
  package var cluster: CapsuleCluster {
    CapsuleCluster(
      count: count,
      place: Coordinate(
        latE7: Int32(y / count - PlaceCode.poleE7),
        lngE7: Int32(x / count - PlaceCode.halfTurnE7)
      )
    )
  }
}

extension [PlaceCell: PlaceSum] {
  /// The clusters of those of these cells that meet a map's box, by cell.
  package func clusters(in grid: PlaceGrid) -> [CapsuleCluster] {
    filter { grid.meets($0.key) }.sorted { $0.key < $1.key }.map(\.value.cluster)
  }
}
