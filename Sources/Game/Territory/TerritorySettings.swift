// The definition of territory mode, with the settings that a room's creator gives. A value, valid from the start.

/// The settings of territory mode.
package struct TerritorySettings: ModeDefinition {
  static let name = "TERRITORY"
  static let durationDefault = Duration.seconds(900)

  /// The plan of the arena.
  package let arena: ArenaPlan
  /// Whether an opponent who crosses an open path cuts it.
  package let cutting: Bool

  package init() {
    self.init(arena: .standard)
  }

  package init(arena: ArenaPlan, cutting: Bool = false) {
    self.arena = arena
    self.cutting = cutting
  }

  static func text(ofPoints points: UInt32) -> String { "\(points) m²" }

  /// Each setting has been checked when it was made.
  func check() throws(SettingOutOfRange) {}

  func makeGame(_ terms: GameTerms) -> any ModeRules { TerritoryGame(self, terms) }
}

// In a journal.
extension TerritorySettings {
  func write(to record: inout RecordWriter) {
    arena.write(to: &record)
    record.bytes.flag(cutting)
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    arena = try ArenaPlan(from: &record)
    cutting = try record.bytes.flag()
  }
}
