// The definition of land mode, with the settings that a room's creator gives. A value that a room's settings check, so
// that a room has neither too many lands nor none.

/// The settings of land mode.
package struct LandSettings: ModeDefinition {
  static let name = "LAND"
  static let durationDefault = Duration.seconds(1_800)
  /// The number of lands of a room.
  package static let landsRange = 1...20
  /// The greatest number of their vertices, together.
  package static let verticesMax = 10_000

  package let lands: [Land]

  init() {
    self.init(lands: [])
  }

  package init(lands: [Land]) {
    self.lands = lands
  }

  static func text(ofPoints points: UInt32) -> String {
    points == 1 ? "1 land" : "\(points) lands"
  }

  /// Checks that there are 1 to 20 lands, no two alike, with at most 10,000 vertices together.
  func check() throws(SettingOutOfRange) {
    let isAnyTwice = Set(lands.map(\.id)).count < lands.count
    _ = try SettingOutOfRange.check(isAnyTwice ? 0 : lands.count, "landIds", Self.landsRange)
    _ = try SettingOutOfRange.check(lands.reduce(0) { $0 + $1.vertices.count }, "landIds", 1...Self.verticesMax)
  }

  func makeGame(_ terms: GameTerms) -> any ModeRules { LandGame(self, terms) }
}

// In a journal.
extension LandSettings {
  func write(to record: inout RecordWriter) {
    record.bytes.number(lands.count)
    for land in lands { land.write(to: &record) }
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    var lands: [Land] = []
    for _ in 0..<(try record.bytes.count(max: Self.landsRange.upperBound, "number of lands")) {
      lands.append(try Land(from: &record))
    }
    self.lands = lands
  }
}
