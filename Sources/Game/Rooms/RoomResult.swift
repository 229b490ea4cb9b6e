// The result of a room's game. A function over a `Room` whose game has just ended.

extension GameResult {
  /// The result of the newest game, whose board stands.
  init(of room: borrowing Room, endedAt: Instant) {
    self.init(
      number: room.gameNumber,
      startedAt: room.startedAt,
      endedAt: endedAt,
      board: room.board.filter { !$0.id.isWalker },
      isPractice: room.game.isPractice,
      fingerprint: room.fingerprint
    )
  }
}
