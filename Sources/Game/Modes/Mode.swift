// The name of the game that a room plays. A plain value by which rooms, the store and the wire name modes.

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

  /// The name on the wire and in all output.
  package var name: String {
    switch self {
    case .footprint: "FOOTPRINT"
    case .territory: "TERRITORY"
    case .land: "LAND"
    }
  }

  /// A player's points with their unit, for people.
  package func text(ofPoints points: UInt32) -> String {
    switch self {
    case .footprint: "\(points)"
    case .territory: "\(points) m²"
    case .land: points == 1 ? "1 land" : "\(points) lands"
    }
  }
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
