// A directory of a PMTiles archive: where runs of tiles lie in the file, or directories below. A value, read from bytes
// that may hold anything.

struct TileDirectory: Sendable {
  /// Directories of the largest known archives have a tenth of it.
  static let entriesMax = 262_144

  struct Entry: Equatable, Sendable {
    /// The number of the first tile.
    let first: UInt64
    /// The number of tiles that have these bytes; 0 for a directory below.
    let runLength: UInt32
    /// From the beginning of the section of tiles, or of directories.
    let offset: UInt64
    let byteCount: UInt32
  }

  /// In the order of their first tiles.
  let entries: [Entry]

  /// Reads an uncompressed directory.
  ///
  /// - Throws: `MapFault` where the bytes are none.
  init(_ bytes: [UInt8]) throws(MapFault) {
    var reader = VarintReader(bytes)
    let count = try reader.next()
    // Each entry has four numbers of at least one byte.
    guard count > 0, count <= Self.entriesMax, count <= bytes.count / 4 else {
      throw MapFault("a directory says that it has \(count) entries")
    }
    var firsts: [UInt64] = []
    firsts.reserveCapacity(Int(count))
    for index in 0..<Int(count) {
      let step = try reader.next()
      let (first, isTooLarge) = (firsts.last ?? 0).addingReportingOverflow(step)
      guard !isTooLarge, index == 0 || step > 0 else { throw MapFault("the tiles of a directory are in no order") }
      firsts.append(first)
    }
    var runLengths: [UInt32] = []
    runLengths.reserveCapacity(firsts.count)
    for _ in firsts { runLengths.append(try reader.nextShort()) }
    var byteCounts: [UInt32] = []
    byteCounts.reserveCapacity(firsts.count)
    for _ in firsts { byteCounts.append(try reader.nextShort()) }
    var entries: [Entry] = []
    entries.reserveCapacity(firsts.count)
    for index in firsts.indices {
      let code = try reader.next()
      let offset: UInt64
      if code > 0 {
        offset = code - 1
      } else {
        // It lies behind the one before.
        guard let last = entries.last else { throw MapFault("the first entry of a directory has no place") }
        offset = last.offset.addingReportingOverflow(UInt64(last.byteCount)).partialValue
      }
      entries.append(
        Entry(first: firsts[index], runLength: runLengths[index], offset: offset, byteCount: byteCounts[index])
      )
    }
    self.entries = entries
  }

  /// The entry of a tile, or of the directory that may have it; nil where there is none.
  func entry(of tile: UInt64) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].first <= tile { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let entry = entries[low - 1]
    return entry.runLength == 0 || tile - entry.first < entry.runLength ? entry : nil
  }
}

/// Numbers of seven bits a byte, the lowest first.
private struct VarintReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() throws(MapFault) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 70, by: 7) {
      guard index < bytes.count else { throw MapFault("a directory ends early") }
      let byte = bytes[index]
      index += 1
      guard shift < 63 || byte <= 1 else { break }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    throw MapFault("a number of a directory has more than 64 bits")
  }

  mutating func nextShort() throws(MapFault) -> UInt32 {
    guard let value = UInt32(exactly: try next()) else { throw MapFault("a length of a directory is too large") }
    return value
  }
}
