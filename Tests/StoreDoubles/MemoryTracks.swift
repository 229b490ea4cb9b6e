// Links to games and consents of the double. A value.
import Game
import Store

struct MemoryTracks {
  /// By the digests of their tokens.
  private var links: [[UInt8]: TrackLink] = [:]
  private var consents: [GameID: Set<PlayerID>] = [:]

  typealias Rooms = [RoomID: RoomEntry]

  mutating func write(
    _ change: TrackChange,
    knowing players: some Collection<PlayerID>,
    _ rooms: Rooms,
    _ erased: some Collection<PlayerID>
  ) -> TrackOutcome {
    let (player, id) = change.subject
    guard players.contains(player), let game = rooms[id.room]?.games[id.number],
      game.results.contains(where: { $0.player == player })
    else { return .notFound }
    guard Self.isKept(id, rooms, erased) else { return .notKept }
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

  /// Whether a game can be replayed, and nobody who played in it is being deleted.
  static func isKept(_ id: GameID, _ rooms: Rooms, _ erased: some Collection<PlayerID>) -> Bool {
    guard let game = rooms[id.room]?.games[id.number] else { return false }
    return game.firstSegment != nil && !game.results.contains { erased.contains($0.player) }
  }

  /// Deletes links and consents of games that are not kept.
  mutating func forget(_ rooms: Rooms, _ erased: some Collection<PlayerID>) {
    links = links.filter { Self.isKept($0.value.game, rooms, erased) }
    consents = consents.filter { Self.isKept($0.key, rooms, erased) }
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
