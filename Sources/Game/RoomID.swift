// The identifiers of a room and of a game, the same in every journal and table. Plain values that any node can draw by
// itself. A room's code is not its identifier: codes are reused after their room has closed.

/// The permanent identifier of a room.
package struct RoomID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}

/// The identifier of a game: its room and its number there, written as `<room>-<number>`.
package struct GameID: Hashable, Sendable, CustomStringConvertible {
  package let room: RoomID
  /// The game's number in its room: from 1, one more for each game.
  package let number: UInt32

  package init(room: RoomID, number: UInt32) {
    self.room = room
    self.number = number
  }

  /// Reads the output of `description` for a number from 1; nil for anything else, so that a game has one spelling.
  package init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let room = UInt128(hexDigits: parts[0]),
      let number = UInt32(parts[1]), number > 0, String(number) == parts[1]
    else { return nil }
    self.init(room: RoomID(room), number: number)
  }

  package var description: String { "\(room)-\(number)" }
}
