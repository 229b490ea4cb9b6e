// The erasing of one player from a room: their right to be forgotten. Part of `Room`. Texts become `…`, and where the player
// has been is forgotten as if they had sent no fix; what they covered and scored stays on the board, as numbers. Nobody is
// told: the wire has no word for a seat whose position is gone.

extension Room {
  /// Hands over everybody of whom the room shows or keeps anything that `erase` would take away; some more than once.
  package func forEachShown(_ body: (PlayerID) -> Void) {
    for (_, occupant) in roster.occupants { body(occupant.id) }
    for case let id? in runners.lazy.map(\.id) { body(id) }
    for row in board { body(row.id) }
    log.forEach { event in
      switch event {
      case .joined(let member): body(member.id)
      case .chat(_, let author, _): body(author)
      case .phase(.ended(let rows)): for row in rows { body(row.id) }
      case .left, .held, .back, .host, .phase, .captured: break
      }
    }
  }

  /// Whether there is anything that `erase` would take away.
  package func shows(_ id: PlayerID) -> Bool {
    var isShown = false
    forEachShown { if $0 == id { isShown = true } }
    return isShown
  }

  /// Forgets a player: their nickname, the texts of their chats, and where they have been.
  mutating func erase(_ id: PlayerID) -> Effects.Answer {
    eraseTexts(of: id)
    for seat in runners.indices {
      if player(whoPlayedIn: seat) == id {
        runners[seat].forgetPlaces()
        changedSeats.remove(seat)
        territory?.forgetPath(of: seat)
        landGame?.forgetRun(of: seat)
      }
      if runners[seat].id == id || roster[.seat(seat)]?.id == id {
        runners[seat].forgetFixes(speedMaxMmPerS: configuration.speedMaxMmPerS)
      }
    }
    return .ok
  }

  /// Whose position and footprints a seat has: when the game's players are released, its board knows them still.
  private func player(whoPlayedIn seat: Int) -> PlayerID? {
    runners[seat].id ?? board.first { $0.seat == seat }?.id
  }

  private mutating func eraseTexts(of id: PlayerID) {
    if let place = roster.place(of: id) {
      roster[place]?.nickname = ErasedText.text
    }
    for seat in runners.indices where runners[seat].id == id {
      runners[seat].rename(to: ErasedText.text)
    }
    Self.erase(id, from: &board)
    log.rewrite { body in
      switch body {
      case .joined(var member) where member.id == id:
        member.nickname = ErasedText.text
        body = .joined(member)
      case .chat(let place, id, _):
        body = .chat(place, author: id, text: ErasedText.text)
      case .phase(.ended(var rows)):
        Self.erase(id, from: &rows)
        body = .phase(.ended(board: rows))
      case .joined, .left, .held, .back, .host, .phase, .chat, .captured: break
      }
    }
  }

  private static func erase(_ id: PlayerID, from board: inout [BoardRow]) {
    for index in board.indices where board[index].id == id {
      board[index].nickname = ErasedText.text
    }
  }
}
