// The settings of territory mode, given by a room's creator. A value that is valid from the start.

/// The settings of territory mode.
package struct TerritorySettings: ModeOptions {
  static let mode = Mode.territory
  static let durationDefault = Duration.seconds(900)

  /// The plan of the arena.
  package let arena: ArenaPlan
  /// Whether an opponent who crosses an open path cuts it.
  package let cutting: Bool

  package init(arena: ArenaPlan = .standard, cutting: Bool = false) {
    self.arena = arena
    self.cutting = cutting
  }

  /// Each setting has been checked when it was made.
  func check() throws(SettingOutOfRange) {}
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
