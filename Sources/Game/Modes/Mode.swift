// The name of the game that a room plays. A plain value by which rooms, the store and the wire name modes. Nothing else
// in the rules names all modes.
// Decisions: 100 (docs/decisions).

/// The mode of a room; lists have this order.
///
/// The raw value is the mode's permanently: journals, SQL and the schema derive their numbers from it. A new mode is
/// the last case.
package enum Mode: Int, Hashable, Sendable, CaseIterable {
  /// One point for each place that is new to the player.
  case footprint
  /// The area that a player holds: going around ground takes it from any holder.
  case territory
  /// The lands that a player is first to capture, by going around them.
  case land

  /// The definition of the mode, from the mode's own folder.
  var definition: any ModeDefinition.Type {
    switch self {
    case .footprint: FootprintSettings.self
    case .territory: TerritorySettings.self
    case .land: LandSettings.self
    }
  }

  /// The name on the wire and in all output.
  package var name: String { definition.name }

  /// A player's points with their unit, for people.
  package func text(ofPoints points: UInt32) -> String { definition.text(ofPoints: points) }
}

// In a journal.
extension Mode {
  func write(to record: inout RecordWriter) {
    record.bytes.byte(UInt8(rawValue))
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    guard let mode = Mode(rawValue: Int(try record.bytes.byte())) else { throw record.fault(.impossible("mode")) }
    self = mode
  }
}
