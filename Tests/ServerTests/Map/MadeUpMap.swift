// A PMTiles archive that a test makes, byte by byte, as version 3 has it.
import Server
import TestSupport
import WebSocket

struct MadeUpMap {
  /// The bytes of tiles, as the file is to have them.
  var tiles: [(address: TileAddress, bytes: [UInt8])] = []
  var metadata = #"{"attribution":"© <a href='https://example.org'>Makers &amp; friends</a>"}"#
  /// The most entries of a directory below the first one; nil for one directory alone.
  var leafEntries: Int?
  /// Whether tiles are compressed.
  var hasPackedTiles = true
  var zooms: ClosedRange<UInt8> = 0...3
  var bounds: (west: Int32, south: Int32, east: Int32, north: Int32) = (
    -10_000_000, -20_000_000, 30_000_000, 40_000_000
  )
  var centre: (lngE7: Int32, latE7: Int32) = (5_000_000, -1_234_567)

  /// All tiles of zooms 0 to 3, each with a text of its own.
  static func world() throws -> MadeUpMap {
    var map = MadeUpMap()
    for zoom in 0...3 {
      for column in 0..<1 << zoom {
        for row in 0..<1 << zoom {
          guard let address = TileAddress(zoom: zoom, column: column, row: row) else { throw TestFailure("no tile") }
          let bytes = try packed(text(of: address))
          map.tiles.append((address, bytes))
        }
      }
    }
    return map
  }

  /// The uncompressed bytes of a tile of `world`.
  static func text(of address: TileAddress) -> String {
    String(repeating: "tile \(address.zoom)/\(address.column)/\(address.row) ", count: 20)
  }

  private static func packed(_ text: String) throws -> [UInt8] {
    guard let packed = Gzip.compress(Array(text.utf8)) else { throw TestFailure("nothing was saved") }
    return packed
  }

  var bytes: [UInt8] {
    var entries: [(first: UInt64, run: UInt64, count: UInt64, offset: UInt64)] = []
    var content: [UInt8] = []
    for (number, bytes) in tiles.map({ ($0.address.number, $0.bytes) }).sorted(by: { $0.0 < $1.0 }) {
      if let last = entries.last, last.first + last.run == number, content.suffix(Int(last.count)) == bytes[...] {
        entries[entries.count - 1].run += 1
      } else {
        entries.append((number, 1, UInt64(bytes.count), UInt64(content.count)))
        content += bytes
      }
    }
    var leaves: [UInt8] = []
    if let leafEntries {
      var roots: [(first: UInt64, run: UInt64, count: UInt64, offset: UInt64)] = []
      while !entries.isEmpty {
        let leaf = Self.directory(Array(entries.prefix(leafEntries)))
        roots.append((entries[0].first, 0, UInt64(leaf.count), UInt64(leaves.count)))
        leaves += leaf
        entries.removeFirst(min(leafEntries, entries.count))
      }
      entries = roots
    }
    let root = Self.directory(entries)
    let metadata = Array(metadata.utf8)
    var header = Array("PMTiles".utf8) + [3]
    var offset = 127
    for part in [root, metadata, leaves, content] {
      header += Self.fixed(UInt64(offset)) + Self.fixed(UInt64(part.count))
      offset += part.count
    }
    for _ in 0..<3 { header += Self.fixed(UInt64(tiles.count)) }
    header += [1, 1, hasPackedTiles ? 2 : 1, 1, zooms.lowerBound, zooms.upperBound]
    for unit in [bounds.west, bounds.south, bounds.east, bounds.north] { header += Self.fixed(unit) }
    header += [zooms.upperBound] + Self.fixed(centre.lngE7) + Self.fixed(centre.latE7)
    return header + root + metadata + leaves + content
  }

  private static func directory(_ entries: [(first: UInt64, run: UInt64, count: UInt64, offset: UInt64)]) -> [UInt8] {
    var bytes = varint(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      bytes += varint(entry.first - last)
      last = entry.first
    }
    for entry in entries { bytes += varint(entry.run) }
    for entry in entries { bytes += varint(entry.count) }
    for (index, entry) in entries.enumerated() {
      let before = index > 0 ? entries[index - 1] : nil
      let follows = before.map { $0.offset + $0.count == entry.offset } ?? false
      bytes += varint(follows ? 0 : entry.offset + 1)
    }
    return bytes
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var (rest, bytes) = (value, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func fixed(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
