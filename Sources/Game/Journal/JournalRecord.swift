// The records of a journal. A plain value, as read back.

/// One record of a room's journal.
package enum JournalRecord: Sendable {
  /// The room was made: the first record of every journal.
  case created(RoomConfiguration, seed: UInt64, at: Instant)
  /// The room between two inputs.
  indirect case snapshot(Room)
  /// The room at the beginning of a game: for the replay of that game only. Recovery ignores it, since texts are
  /// missing.
  indirect case beginning(Room)
  /// An input of the room. A refused one is without its text or left out: it has changed nothing.
  case input(Input, at: Instant)
}
