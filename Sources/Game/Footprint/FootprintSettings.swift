// The settings of footprint mode: it has none. A value.

struct FootprintSettings: ModeOptions {
  static let mode = Mode.footprint
  static let durationDefault = Duration.seconds(60)

  init() {}

  func check() throws(SettingOutOfRange) {}

  func write(to record: inout RecordWriter) {}

  init(from record: inout RecordReader) throws(JournalFault) {}
}
