// What a journal consists of. A plain value, as it is read back.

/// One record of a room's journal.
package enum JournalRecord: Sendable {
  /// The room was made: how every journal begins.
  case created(RoomConfiguration, seed: UInt64, at: Instant)
  /// The room as it was between two inputs.
  indirect case snapshot(Room)
  /// The room as a game begins in it: for the replay of that game, and nothing to recovery, for texts are missing.
  indirect case beginning(Room)
  /// What reached the room. A refused input may be there, without its text, or be left out: it has changed nothing.
  case input(Input, at: Instant)
}
