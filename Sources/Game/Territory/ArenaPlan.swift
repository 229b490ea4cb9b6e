// The arena of territory mode as a room's creator set it. A value that is valid from the start; the arena's place may
// be left to the first game.

/// The arena that a room's games are played in: a square grid of square cells.
package struct ArenaPlan: Hashable, Sendable {
  package static let cellRangeM = 5...50
  package static let cellDefaultM = 5
  package static let cellsRange = 4...400
  package static let cellsDefault = 400

  /// The middle of the grid; nil for the host's first fix after the start of each game.
  package let center: Coordinate?
  /// The side of a cell in metres.
  package let cellM: Int
  /// The number of cells on a side.
  package let cells: Int

  /// A plan, each setting with its default where nil.
  /// - Parameters:
  ///   - center: On the map.
  ///   - cellM: 5 to 50, 5 by default.
  ///   - cells: 4 to 400, 400 by default.
  /// - Throws: `SettingOutOfRange` that names the first setting out of its range.
  package init(
    center: Coordinate? = nil,
    cellM: Int? = nil,
    cells: Int? = nil
  ) throws(SettingOutOfRange) {
    if let center {
      let latMaxE7 = Int(PositionRules.latMaxE7)
      let lngMaxE7 = Int(PositionRules.lngMaxE7)
      _ = try SettingOutOfRange.check(Int(center.latE7), "latE7", -latMaxE7...latMaxE7)
      _ = try SettingOutOfRange.check(Int(center.lngE7), "lngE7", -lngMaxE7...lngMaxE7)
    }
    self.center = center
    self.cellM = try SettingOutOfRange.check(cellM ?? Self.cellDefaultM, "cellM", Self.cellRangeM)
    self.cells = try SettingOutOfRange.check(cells ?? Self.cellsDefault, "cells", Self.cellsRange)
  }

  /// The plan of a room without such settings.
  package static let standard = ArenaPlan(checked: nil, cellM: cellDefaultM, cells: cellsDefault)

  private init(checked center: Coordinate?, cellM: Int, cells: Int) {
    self.center = center
    self.cellM = cellM
    self.cells = cells
  }

  /// The same plan around another middle, which is on the map.
  func centered(on center: Coordinate) -> ArenaPlan {
    ArenaPlan(checked: center, cellM: cellM, cells: cells)
  }

  /// The area of a cell in m².
  package var cellAreaM2: Int { cellM * cellM }
}

// In a journal.
extension ArenaPlan {
  func write(to record: inout RecordWriter) {
    record.bytes.flag(center != nil)
    if let center { record.coordinate(center) }
    record.bytes.number(cellM)
    record.bytes.number(cells)
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    center = try record.bytes.flag() ? record.coordinateOnMap() : nil
    cellM = try record.bytes.number(in: Self.cellRangeM, "side of a cell")
    cells = try record.bytes.number(in: Self.cellsRange, "number of cells")
  }
}
