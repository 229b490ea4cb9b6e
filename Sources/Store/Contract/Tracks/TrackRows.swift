// Links by which others may look at a game, and players' consents to be seen there. Plain values, the same for every
// back end.
import Game

/// A link to a game's track.
package struct TrackLink: Hashable, Sendable {
  /// The digest of the link's token. The token itself is not kept.
  package var digest: [UInt8]
  package var game: GameID
  /// The player who shares the game.
  package var player: PlayerID
  package var madeAt: Instant

  package init(digest: [UInt8], game: GameID, player: PlayerID, madeAt: Instant) {
    self.digest = digest
    self.game = game
    self.player = player
    self.madeAt = madeAt
  }

  /// The links of a player, at most.
  package static let countMaxOfPlayer = 100
  /// The links of a player to one game, at most.
  package static let countMaxOfGame = 10
}

/// How a player shares a game.
package struct TrackSharing: Hashable, Sendable {
  /// The player's links to it.
  package var linksCount: Int
  /// Whether links of others show the player's way and nickname.
  package var showsWay: Bool

  package init(linksCount: Int, showsWay: Bool) {
    self.linksCount = linksCount
    self.showsWay = showsWay
  }
}

/// A link, and the players whose ways it shows.
package struct SharedTrack: Hashable, Sendable {
  package var link: TrackLink
  /// The game with its results.
  package var game: StoredGame
  /// The player who shares the game, and those who have consented.
  package var shown: Set<PlayerID>

  package init(link: TrackLink, game: StoredGame, shown: Set<PlayerID>) {
    self.link = link
    self.game = game
    self.shown = shown
  }
}
