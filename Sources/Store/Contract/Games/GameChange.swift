// The end of a game, and what it awards. Plain values.
import Game

/// A change of a game.
package enum GameChange: Hashable, Sendable {
  /// A game has ended; its journal ends with this batch's chunk. A game that is stored already changes nothing, nor
  /// does one of an unknown room. Results of unknown players are left out. A result that makes a player's records
  /// (`counts`) as many as `BadgeRules` asks for wins the badge, each badge once for ever.
  case end(GameRow, [ResultRow])
}

/// What came of a game's change.
package enum GameOutcome: Hashable, Sendable {
  /// The badges that are new, in the order of the results.
  case awarded([Award])
  /// What is stored is damaged there, so it can't be done; all other changes of the batch are.
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
