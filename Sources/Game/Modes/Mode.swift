// What is played in a room, as a word alone. A plain value that rooms, the store and the wire name modes by.

/// What is played in a room; lists have them in this order.
package enum Mode: Int, Hashable, Sendable, CaseIterable {
  /// One point for each place that the player had not been to.
  case footprint
  /// The area that a player holds: who goes around ground takes it, whoever held it.
  case territory
  /// The lands that a player is first to capture, by going around them.
  case land

  /// As the wire names it, and everybody outside.
  package var name: String {
    switch self {
    case .footprint: "FOOTPRINT"
    case .territory: "TERRITORY"
    case .land: "LAND"
    }
  }
}

// In a journal: a byte that stays the mode's for ever.
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
