// The requirements on the settings of a mode. `ModeSettings` has a case for each mode's.

/// The settings of one mode.
protocol ModeOptions: Hashable, Sendable {
  static var mode: Mode { get }
  /// The duration of a game by default.
  static var durationDefault: Duration { get }
  /// - Throws: `SettingOutOfRange` that names the first setting out of its range.
  func check() throws(SettingOutOfRange)
  // In a journal; the mode itself is written before the settings that all rooms have.
  func write(to record: inout RecordWriter)
  init(from record: inout RecordReader) throws(JournalFault)
}
