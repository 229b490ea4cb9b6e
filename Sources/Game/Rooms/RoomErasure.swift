// Erases one player from a room: their right to be forgotten. Part of `Room`. Texts become `…`, and positions are
// forgotten as if the player had sent no fix; distance and points stay on the board, as numbers. Nobody is notified:
// the wire has no message for a seat that loses its position.

extension Room {
  /// Calls `body` with every player for whom `erase` would remove something; with some more than once.
  package func forEachShown(_ body: (PlayerID) -> Void) {
    for (_, occupant) in roster.occupants { body(occupant.id) }
    game.forEachPlayer { if !$0.isWalker { body($0) } }
    log.forEach { $0.forEachShown { if !$0.isWalker { body($0) } } }
  }

  /// Whether `erase` would remove anything.
  package func shows(_ id: PlayerID) -> Bool {
    var isShown = false
    forEachShown { if $0 == id { isShown = true } }
    return isShown
  }
}

extension Roster {
  /// Forgets a player's nickname. Returns their place.
  mutating func eraseNickname(of id: PlayerID) -> Place? {
    let place = place(of: id)
    if let place { self[place]?.nickname = ErasedText.text }
    return place
  }
}

extension Event.Body {
  /// Calls `body` with every player whose nickname or text the event has.
  fileprivate func forEachShown(_ body: (PlayerID) -> Void) {
    switch self {
    case .joined(let member): body(member.id)
    case .chat(_, let author, _): body(author)
    case .phase(.ended(let rows)): for row in rows { body(row.id) }
    case .left, .held, .back, .host, .phase, .timeUp, .captured, .kicked, .locked: break
    }
  }

  /// Erases the texts of a player.
  mutating func erase(_ id: PlayerID) {
    switch self {
    case .joined(var member) where member.id == id:
      member.nickname = ErasedText.text
      self = .joined(member)
    case .chat(let place, id, _):
      self = .chat(place, author: id, text: ErasedText.text)
    case .phase(.ended(var rows)):
      rows.eraseNickname(of: id)
      self = .phase(.ended(board: rows))
    case .joined, .left, .held, .back, .host, .phase, .timeUp, .chat, .captured, .kicked, .locked: break
    }
  }
}
