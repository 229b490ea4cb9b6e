// The erasing of one player's texts from a room: part of their right to be forgotten. Part of `Room`. No rule of play depends
// on a text, so nothing else changes, and nobody is told.

extension Room {
  /// What stands where a text was erased.
  package static let erasedText = "…"

  /// Whether there is anything that `erase` would replace.
  package func shows(_ id: PlayerID) -> Bool {
    roster.place(of: id) != nil || runners.contains { $0.id == id } || board.contains { $0.id == id }
      || log.contains { body in
        switch body {
        case .joined(let member): member.id == id
        case .chat(_, let author, _): author == id
        case .phase(.ended(let rows)): rows.contains { $0.id == id }
        case .left, .held, .back, .host, .phase: false
        }
      }
  }

  /// Replaces a player's nickname and the texts of their chats wherever the room still shows or keeps them.
  mutating func erase(_ id: PlayerID) -> Effects.Answer {
    if let place = roster.place(of: id) {
      roster[place]?.nickname = Self.erasedText
    }
    for seat in runners.indices where runners[seat].id == id {
      runners[seat].rename(to: Self.erasedText)
    }
    Self.erase(id, from: &board)
    log.rewrite { body in
      switch body {
      case .joined(var member) where member.id == id:
        member.nickname = Self.erasedText
        body = .joined(member)
      case .chat(let place, id, _):
        body = .chat(place, author: id, text: Self.erasedText)
      case .phase(.ended(var rows)):
        Self.erase(id, from: &rows)
        body = .phase(.ended(board: rows))
      case .joined, .left, .held, .back, .host, .phase, .chat: break
      }
    }
    return .ok
  }

  private static func erase(_ id: PlayerID, from board: inout [BoardRow]) {
    for index in board.indices where board[index].id == id {
      board[index].nickname = erasedText
    }
  }
}
