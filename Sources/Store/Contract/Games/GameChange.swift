// The end of a game and the badges that it awards. Plain values.
import Game

/// A change of a game.
package enum GameChange: Hashable, Sendable {
  /// A game has ended; its journal ends with this batch's chunk. A game that is stored already, or that belongs to an
  /// unknown room, changes nothing. Results of unknown players are left out. A result that raises a player's number of
  /// records (`counts`) to a badge's threshold in `BadgeRules` wins the badge, each badge only once.
  case end(GameRow, [ResultRow])
}

/// The outcome of a game's change.
package enum GameOutcome: Hashable, Sendable {
  /// The new badges, in the order of the results.
  case awarded([Award])
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}

/// A badge that a player has just won.
package struct Award: Hashable, Sendable {
  package var player: PlayerID
  package var badge: Int

  package init(player: PlayerID, badge: Int) {
    self.player = player
    self.badge = badge
  }
}
