// The name of the game that a room plays. A plain value by which rooms, the store and the wire name modes.

/// The mode of a room; lists have this order.
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
}

// In a journal: a byte that is the mode's permanently.
extension Mode {
  func write(to record: inout RecordWriter) {
    switch self {
    case .footprint: record.bytes.byte(0)
    case .territory: record.bytes.byte(1)
    case .land: record.bytes.byte(2)
    }
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    switch try record.bytes.byte() {
    case 0: self = .footprint
    case 1: self = .territory
    case 2: self = .land
    default: throw record.fault(.impossible("mode"))
    }
  }
}
