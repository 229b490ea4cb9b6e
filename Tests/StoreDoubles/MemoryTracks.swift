// Links to games and consents of the double. Part of `MemoryTables`.
import Game
import Store

extension MemoryTables {
  mutating func write(_ change: TrackChange) -> TrackOutcome {
    switch change {
    case .share(let link):
      if let refusal = refusal(of: link.player, link.game) { return refusal }
      let own = trackLinks.values.filter { $0.player == link.player }
      guard own.count < TrackLink.countMaxOfPlayer,
        own.count(where: { $0.game == link.game }) < TrackLink.countMaxOfGame
      else { return .tooMany }
      trackLinks[link.digest] = link
      return .sharing(trackSharing(of: link.player, in: link.game))
    case .unshare(let player, let game):
      if let refusal = refusal(of: player, game) { return refusal }
      trackLinks = trackLinks.filter { $0.value.player != player || $0.value.game != game }
      return .sharing(trackSharing(of: player, in: game))
    case .show(let player, let game, let isShown):
      if let refusal = refusal(of: player, game) { return refusal }
      if isShown { trackConsents[game, default: []].insert(player) } else { trackConsents[game]?.remove(player) }
      return .sharing(trackSharing(of: player, in: game))
    }
  }

  private func refusal(of player: PlayerID, _ id: GameID) -> TrackOutcome? {
    guard players[player] != nil, let game = rooms[id.room]?.games[id.number],
      game.results.contains(where: { $0.player == player })
    else { return .notFound }
    return keepsTrack(of: id) ? nil : .notKept
  }

  func keepsTrack(of id: GameID) -> Bool {
    guard let game = rooms[id.room]?.games[id.number] else { return false }
    return game.firstSegment != nil && !game.results.contains { erasures[$0.player] != nil }
  }

  func trackSharing(of player: PlayerID, in game: GameID) -> TrackSharing {
    TrackSharing(
      linksCount: trackLinks.values.count { $0.player == player && $0.game == game },
      showsWay: trackConsents[game]?.contains(player) ?? false
    )
  }

  func sharedTrack(_ digest: [UInt8]) -> SharedTrack? {
    guard let link = trackLinks[digest], let game = game(link.game) else { return nil }
    return SharedTrack(link: link, game: game, shown: (trackConsents[link.game] ?? []).union([link.player]))
  }

  /// Deletes links and consents of games that are not kept, or for which `isGone` holds.
  mutating func forgetTracks(where isGone: (GameEntry) -> Bool = { _ in false }) {
    for id in Set(trackLinks.values.map(\.game)).union(trackConsents.keys) {
      if let game = rooms[id.room]?.games[id.number], game.firstSegment != nil, !isGone(game) { continue }
      trackLinks = trackLinks.filter { $0.value.game != id }
      trackConsents[id] = nil
    }
  }
}
