// The address of a tile: its zoom, column and row in the web's grid of Mercator tiles. A value; pure.

package struct TileAddress: Hashable, Sendable {
  /// The highest zoom that a map may have.
  package static let zoomMax = 26

  /// 0 to `zoomMax`.
  package let zoom: Int
  /// 0 to 2^zoom − 1, from the west.
  package let column: Int
  /// 0 to 2^zoom − 1, from the north.
  package let row: Int

  /// Nil for a place outside of the grid.
  package init?(zoom: Int, column: Int, row: Int) {
    guard (0...Self.zoomMax).contains(zoom), (0..<1 << zoom).contains(column), (0..<1 << zoom).contains(row) else {
      return nil
    }
    (self.zoom, self.column, self.row) = (zoom, column, row)
  }

  /// Reads `zoom/column/row` as a path has it: digits alone, without leading zeros.
  init?(_ path: ArraySlice<Substring>) {
    guard path.count == 3 else { return nil }
    let numbers = path.compactMap(Self.number)
    guard numbers.count == 3 else { return nil }
    self.init(zoom: numbers[0], column: numbers[1], row: numbers[2])
  }

  private static func number(_ text: Substring) -> Int? {
    let isPlain = (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isPlain, text == "0" || !text.hasPrefix("0") else { return nil }
    return Int(text)
  }

  /// The tile's number in a PMTiles archive: tiles of lower zooms come first, those of one zoom along a Hilbert curve.
  package var number: UInt64 {
    var number: UInt64 = 0
    for lower in 0..<zoom { number += 1 << UInt64(2 * lower) }
    var (x, y) = (UInt64(column), UInt64(row))
    var side: UInt64 = zoom == 0 ? 0 : 1 << UInt64(zoom - 1)
    while side > 0 {
      let isEast: UInt64 = x & side > 0 ? 1 : 0
      let isSouth: UInt64 = y & side > 0 ? 1 : 0
      number += side * side * ((3 * isEast) ^ isSouth)
      // The curve inside a quarter is turned.
      if isSouth == 0 {
        if isEast == 1 { (x, y) = (side &- 1 &- x, side &- 1 &- y) }
        swap(&x, &y)
      }
      side >>= 1
    }
    return number
  }
}
