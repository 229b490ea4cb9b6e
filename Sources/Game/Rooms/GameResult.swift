// The outcome of a game: it is stored, and its replay must give the same. A plain value.

/// The result of a finished game.
package struct GameResult: Hashable, Sendable {
  /// The game's number in its room, from 1.
  package var number: UInt32
  /// The beginning, by the wall clock. On the game's own clock, a server's downtime since then has not passed.
  package var startedAt: Instant
  package var endedAt: Instant
  /// The players' rows, best first; practice opponents have none.
  package var board: [BoardRow]
  /// Whether practice opponents played and fewer than two people: nobody has won, and no row counts.
  package var isPractice: Bool
  /// The fingerprint of the room's whole state at the end, except for texts, which may be erased.
  package var fingerprint: UInt64

  package init(
    number: UInt32,
    startedAt: Instant,
    endedAt: Instant,
    board: [BoardRow],
    isPractice: Bool = false,
    fingerprint: UInt64
  ) {
    self.number = number
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.board = board
    self.isPractice = isPractice
    self.fingerprint = fingerprint
  }
}
