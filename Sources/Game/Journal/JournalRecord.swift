// What a journal consists of. A plain value, as it is read back.

/// One record of a room's journal.
package enum JournalRecord: Sendable {
  /// The room was made: how every journal begins.
  case created(RoomConfiguration, seed: UInt64, at: Instant)
  /// The room as it was between two inputs.
  indirect case snapshot(Room)
  /// What reached the room; refused inputs too.
  case input(Input, at: Instant)
}
