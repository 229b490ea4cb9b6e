// The mode of a room as its creator set it, with the settings of that mode alone. A value. Each mode's folder makes and
// reads its own settings.

/// The mode of a room, with the mode's own settings.
package struct ModeSettings: Hashable, Sendable {
  /// The mode without its settings.
  package let mode: Mode
  /// The settings, of the type that defines the mode.
  let own: any ModeDefinition

  init(_ mode: Mode, _ own: some ModeDefinition) {
    precondition(type(of: own) == mode.definition, "settings are of the mode's own type")
    self.mode = mode
    self.own = own
  }

  /// Selects the settings of a mode from those that a creator's request has; without any, the mode's settings by
  /// default.
  package init(_ mode: Mode, from requested: [ModeSettings] = []) {
    self = requested.first { $0.mode == mode } ?? ModeSettings(mode, mode.definition.init())
  }

  /// Reads the settings of a mode from a journal.
  init(_ mode: Mode, from record: inout RecordReader) throws(JournalFault) {
    self.init(mode, try mode.definition.init(from: &record))
  }

  var durationDefault: Duration { mode.definition.durationDefault }

  func check() throws(SettingOutOfRange) { try own.check() }

  func write(to record: inout RecordWriter) { own.write(to: &record) }

  func makeGame(_ terms: GameTerms) -> any ModeRules { own.makeGame(terms) }
}

// Settings of two modes have different types, and are never equal.
extension ModeSettings {
  package static func == (left: ModeSettings, right: ModeSettings) -> Bool {
    AnyHashable(left.own) == AnyHashable(right.own)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(mode)
    hasher.combine(own)
  }
}
