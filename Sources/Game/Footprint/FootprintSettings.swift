// The definition of footprint mode. A value without settings.

/// Footprint mode: it has no settings.
struct FootprintSettings: ModeDefinition {
  static let name = "FOOTPRINT"
  static let durationDefault = Duration.seconds(60)

  static func text(ofPoints points: UInt32) -> String { "\(points)" }

  init() {}

  func check() throws(SettingOutOfRange) {}

  func write(to record: inout RecordWriter) {}

  init(from record: inout RecordReader) throws(JournalFault) {}

  func makeGame(_ terms: GameTerms) -> any ModeRules { FootprintGame() }
}
