// How a game came out: what is stored of it, and what its replay must come to again. A plain value.

/// The result of a finished game.
package struct GameResult: Hashable, Sendable {
  /// The game's number in its room, from 1.
  package var number: UInt32
  package var mode: Mode
  /// When it began, by the wall clock: on the game's own clock it is less while the server was down in between.
  package var startedAt: Instant
  package var endedAt: Instant
  /// Best first.
  package var board: [BoardRow]
  /// What the room's whole state came to at the end, but for texts, which may be erased.
  package var fingerprint: UInt64

  package init(
    number: UInt32,
    mode: Mode,
    startedAt: Instant,
    endedAt: Instant,
    board: [BoardRow],
    fingerprint: UInt64
  ) {
    self.number = number
    self.mode = mode
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.board = board
    self.fingerprint = fingerprint
  }
}
