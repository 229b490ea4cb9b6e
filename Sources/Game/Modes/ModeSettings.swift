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

  /// The mode without its settings.
  package var mode: Mode {
    switch self {
    case .footprint: .footprint
    case .territory: .territory
    case .land: .land
    }
  }

  /// The duration of a game by default.
  var durationDefault: Duration {
    switch self {
    case .footprint: .seconds(60)
    case .territory: .seconds(900)
    case .land: .seconds(1_800)
    }
  }

  /// - Throws: `SettingOutOfRange` that names the first setting out of its range.
  func check() throws(SettingOutOfRange) {
    switch self {
    case .footprint, .territory: break
    case .land(let settings): try settings.check()
    }
  }
}

// In a journal. The mode itself is written before the settings that all rooms have.
extension ModeSettings {
  func write(to record: inout RecordWriter) {
    switch self {
    case .footprint: break
    case .territory(let settings): settings.write(to: &record)
    case .land(let settings): settings.write(to: &record)
    }
  }

  init(_ mode: Mode, from record: inout RecordReader) throws(JournalFault) {
    switch mode {
    case .footprint: self = .footprint
    case .territory: self = .territory(try TerritorySettings(from: &record))
    case .land: self = .land(try LandSettings(from: &record))
    }
  }
}
