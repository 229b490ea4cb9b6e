// Changes of links to games and of consents. Plain values. All three have the outcome `.notFound` for a game that has
// not ended or has no result of the player, and `.notKept` for one whose journal is no longer kept, or in which
// somebody is being deleted.
import Game

/// A change of links and consents.
package enum TrackChange: Hashable, Sendable {
  /// Keeps a new link. Outcome `.sharing`, or `.tooMany` where the player has too many.
  case share(TrackLink)
  /// Deletes all links of a player to a game.
  case unshare(PlayerID, GameID)
  /// Keeps or takes back a player's consent.
  case show(PlayerID, GameID, Bool)
}

/// The outcome of such a change.
package enum TrackOutcome: Hashable, Sendable {
  /// How the player shares the game from now on.
  case sharing(TrackSharing)
  case notFound
  case notKept
  case tooMany
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
