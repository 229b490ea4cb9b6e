// Links to games and consents of the double. A value.
import Game
import Store

struct MemoryTracks {
  /// By the digests of their tokens.
  private var links: [[UInt8]: TrackLink] = [:]
  private var consents: [GameID: Set<PlayerID>] = [:]

  /// Writes a change of a player who is known or not; `game` is the entry of the change's game.
  mutating func write(_ change: TrackChange, isKnown: Bool, _ game: GameEntry?, isKept: Bool) -> TrackOutcome {
    let (player, id) = change.subject
    guard isKnown, let game, game.results.contains(where: { $0.player == player }) else { return .notFound }
    guard isKept else { return .notKept }
    switch change {
    case .share(let link):
      let own = links.values.filter { $0.player == player }
      guard own.count < TrackLink.countMaxOfPlayer,
        own.count(where: { $0.game == id }) < TrackLink.countMaxOfGame
      else { return .tooMany }
      links[link.digest] = link
    case .unshare: links = links.filter { $0.value.player != player || $0.value.game != id }
    case .show(_, _, true): consents[id, default: []].insert(player)
    case .show(_, _, false): consents[id]?.remove(player)
    }
    return .sharing(sharing(of: player, in: id))
  }

  func sharing(of player: PlayerID, in game: GameID) -> TrackSharing {
    TrackSharing(
      linksCount: links.values.count { $0.player == player && $0.game == game },
      showsWay: consents[game]?.contains(player) ?? false
    )
  }

  func shared(_ digest: [UInt8], _ game: (GameID) -> StoredGame?) -> SharedTrack? {
    guard let link = links[digest], let game = game(link.game) else { return nil }
    return SharedTrack(link: link, game: game, shown: (consents[link.game] ?? []).union([link.player]))
  }

  /// Deletes links and consents of games for which `isKept` does not hold.
  mutating func forget(where isKept: (GameID) -> Bool) {
    links = links.filter { isKept($0.value.game) }
    consents = consents.filter { isKept($0.key) }
  }
}

extension TrackChange {
  /// The player and the game that a change is about.
  var subject: (PlayerID, GameID) {
    switch self {
    case .share(let link): (link.player, link.game)
    case .unshare(let player, let game), .show(let player, let game, _): (player, game)
    }
  }
}
