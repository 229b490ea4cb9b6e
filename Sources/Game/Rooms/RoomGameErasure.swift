// Erases one player from a game: their nickname, and their positions as if they had sent no fix. Part of `RoomGame`.
// Distance and points stay on the board, as numbers.

extension RoomGame {
  /// Calls `body` with everybody who plays or is on the board; with some more than once.
  func forEachPlayer(_ body: (PlayerID) -> Void) {
    for case let id? in runners.lazy.map(\.id) { body(id) }
    for row in board { body(row.id) }
  }

  /// Forgets a player, with their place in the room if they have one.
  mutating func erase(_ id: PlayerID, at place: Place?) {
    for seat in runners.indices {
      if player(whoPlayedIn: seat) == id {
        runners[seat].forgetPlaces()
        changedSeats.remove(seat)
        mode.forgetPlaces(of: seat)
      }
      if runners[seat].id == id { runners[seat].rename(to: ErasedText.text) }
      if runners[seat].id == id || place == .seat(seat) { forgetFixes(of: seat) }
    }
    board.eraseNickname(of: id)
  }

  /// The player whose position and footprints a seat has; the board still knows them after the game's players are
  /// released.
  private func player(whoPlayedIn seat: Int) -> PlayerID? {
    runners[seat].id ?? board.first { $0.seat == seat }?.id
  }
}

extension [BoardRow] {
  mutating func eraseNickname(of id: PlayerID) {
    for index in indices where self[index].id == id {
      self[index].nickname = ErasedText.text
    }
  }
}
