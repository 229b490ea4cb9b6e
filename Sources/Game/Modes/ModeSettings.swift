// The mode of a room as its creator set it. A value with one case for each mode, so that a room has no other mode's
// settings.

/// The mode of a room, with the mode's own settings.
package enum ModeSettings: Hashable, Sendable {
  case footprint
  case territory(TerritorySettings)
  case land(LandSettings)

  /// Selects the settings of one mode from a request with settings of all modes; other modes' settings are ignored.
  /// - Parameters:
  ///   - mode: The mode.
  ///   - arena: The arena of territory mode, by default as `ArenaPlan` has it.
  ///   - cutting: Whether opponents cut open paths in territory mode; false by default.
  ///   - lands: The lands of land mode.
  package init(_ mode: Mode, arena: ArenaPlan? = nil, cutting: Bool = false, lands: [Land] = []) {
    switch mode {
    case .footprint: self = .footprint
    case .territory: self = .territory(TerritorySettings(arena: arena ?? .standard, cutting: cutting))
    case .land: self = .land(LandSettings(lands: lands))
    }
  }

  /// Reads the settings of a mode from a journal.
  init(_ mode: Mode, from record: inout RecordReader) throws(JournalFault) {
    switch mode {
    case .footprint: self = .footprint
    case .territory: self = .territory(try TerritorySettings(from: &record))
    case .land: self = .land(try LandSettings(from: &record))
    }
  }

  private var options: any ModeOptions {
    switch self {
    case .footprint: FootprintSettings()
    case .territory(let settings): settings
    case .land(let settings): settings
    }
  }

  /// The mode without its settings.
  package var mode: Mode { type(of: options).mode }

  var durationDefault: Duration { type(of: options).durationDefault }

  func check() throws(SettingOutOfRange) { try options.check() }

  func write(to record: inout RecordWriter) { options.write(to: &record) }
}
