// The header of a PMTiles archive of version 3: where its parts lie, and what it shows. A value, read from bytes that
// may hold anything.

struct TileArchiveHeader: Equatable, Sendable {
  static let byteCount = 127
  /// The most bytes of a directory in the file, and of the metadata.
  static let directoryBytesMax = 4 << 20

  let root: Range<Int>
  let metadata: Range<Int>
  let leaves: Range<Int>
  let tiles: Range<Int>
  /// Whether directories and metadata are compressed by gzip.
  let hasPackedDirectories: Bool
  /// Whether tiles are.
  let hasPackedTiles: Bool
  let zooms: ClosedRange<Int>
  let bounds: MapBounds
  let centre: MapPlace
  let centreZoom: Int

  /// Reads the first bytes of a file.
  ///
  /// - Throws: `MapFault` where it is no archive of vector tiles, or its parts lie outside of the file.
  init(_ bytes: [UInt8], fileByteCount: Int) throws(MapFault) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("PMTiles".utf8)) else {
      throw MapFault("it is no PMTiles file")
    }
    guard bytes[7] == 3 else { throw MapFault("it is a PMTiles file of version \(bytes[7]), not 3") }
    func range(at index: Int, _ name: String) throws(MapFault) -> Range<Int> {
      let (offset, count) = (Self.number(in: bytes, at: index), Self.number(in: bytes, at: index + 8))
      let (end, isTooLarge) = offset.addingReportingOverflow(count)
      guard !isTooLarge, end <= UInt64(fileByteCount) else { throw MapFault("its \(name) lie beyond its end") }
      return Int(offset)..<Int(end)
    }
    root = try range(at: 8, "directories")
    metadata = try range(at: 24, "metadata")
    leaves = try range(at: 40, "directories")
    tiles = try range(at: 56, "tiles")
    guard root.count <= Self.directoryBytesMax, metadata.count <= Self.directoryBytesMax else {
      throw MapFault("its first directory or its metadata have more than \(Self.directoryBytesMax >> 20) MiB")
    }
    hasPackedDirectories = try Self.isPacked(bytes[97], "directories")
    hasPackedTiles = try Self.isPacked(bytes[98], "tiles")
    guard bytes[99] == 1 else { throw MapFault("its tiles are no vector tiles (MVT)") }
    let (zoomMin, zoomMax) = (Int(bytes[100]), Int(bytes[101]))
    guard zoomMin <= zoomMax, zoomMax <= TileAddress.zoomMax else {
      throw MapFault("its zooms are \(zoomMin) to \(zoomMax)")
    }
    zooms = zoomMin...zoomMax
    bounds = MapBounds(
      west: Self.degrees(in: bytes, at: 102),
      south: Self.degrees(in: bytes, at: 106),
      east: Self.degrees(in: bytes, at: 110),
      north: Self.degrees(in: bytes, at: 114)
    )
    guard bounds.isOnEarth else { throw MapFault("its bounds are no place on earth") }
    centreZoom = Int(bytes[118])
    let named = MapPlace(latE7: Self.degrees(in: bytes, at: 123), lngE7: Self.degrees(in: bytes, at: 119))
    // Some writers leave the centre out.
    centre = bounds.contains(named) ? named : bounds.middle
  }

  private static func isPacked(_ code: UInt8, _ name: String) throws(MapFault) -> Bool {
    switch code {
    case 1: return false
    case 2: return true
    case 3: throw MapFault("its \(name) are compressed by brotli, not by gzip")
    case 4: throw MapFault("its \(name) are compressed by zstd, not by gzip")
    default: throw MapFault("its \(name) are compressed in an unknown way")
    }
  }

  /// Eight bytes, the lowest first.
  private static func number(in bytes: [UInt8], at index: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[index + $1]) << UInt64(8 * $1) }
  }

  /// Four bytes, the lowest first: 1e-7 degree.
  private static func degrees(in bytes: [UInt8], at index: Int) -> Int {
    let pattern = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
    return Int(Int32(bitPattern: pattern))
  }
}

/// A place in 1e-7 degree.
struct MapPlace: Equatable, Sendable {
  let latE7: Int
  let lngE7: Int
}

/// What a map shows, in 1e-7 degree.
struct MapBounds: Equatable, Sendable {
  let west: Int
  let south: Int
  let east: Int
  let north: Int

  var isOnEarth: Bool {
    west < east && south < north && west >= -1_800_000_000 && east <= 1_800_000_000 && south >= -900_000_000
      && north <= 900_000_000
  }

  var middle: MapPlace { MapPlace(latE7: (south + north) / 2, lngE7: (west + east) / 2) }

  func contains(_ place: MapPlace) -> Bool {
    (south...north).contains(place.latE7) && (west...east).contains(place.lngE7)
  }
}
