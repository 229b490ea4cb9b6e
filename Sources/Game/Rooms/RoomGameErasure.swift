// The erasing of one player from a game: their nickname, and where they have been as if they had sent no fix. Part of
// `RoomGame`. What they covered and scored stays on the board, as numbers.

extension RoomGame {
  /// Hands over everybody who plays or is on the board; some more than once.
  func forEachPlayer(_ body: (PlayerID) -> Void) {
    for case let id? in runners.lazy.map(\.id) { body(id) }
    for row in board { body(row.id) }
  }

  /// Forgets a player, who is in a place of the room or not.
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

  /// Whose position and footprints a seat has: when the game's players are released, its board knows them still.
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
