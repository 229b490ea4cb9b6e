// Accounts and sessions of players. Part of the contract. They are written by `SessionChange` and `AccountChange`.
import Game

/// Accounts and sessions. Calls with a completion return at once, on any thread; the others block.
package protocol AccountStore: Sendable {
  /// The password of the account with this e-mail, compared byte by byte in the server's normalized form. Nil when
  /// there is none.
  func password(ofEmail email: String, _ completion: @escaping Completion<StoredPassword?>)

  /// The password of an account; nil for guests and for unknown players.
  func password(of player: PlayerID, _ completion: @escaping Completion<StoredPassword?>)

  /// The players whom a player has blocked, ordered by identifier, with their present nicknames.
  func blockedPlayers(of player: PlayerID, _ completion: @escaping Completion<[BlockedPlayer]>)

  /// The players among these that the store does not know, in the order given: they never existed, they are deleted, or
  /// their deletion has begun. Blocks.
  func unknownPlayers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID]

  /// The highest number of a connection that began or resumed a session that is still stored; 0 without any. Blocks.
  var lastConnection: UInt64 { get throws(StoreFailure) }
}

/// The number of ended sessions that are kept of a player, the newest by connection, to answer that they have ended.
/// Older ones are unknown.
package let endedSessionsMax = 8

/// The least step by which a session's stored expiry moves; without it each use of the session would be a write.
package let sessionRenewalMin = Duration.seconds(86_400)

/// The time for which an ended or expired session is kept, to answer that it has ended or expired.
package let sessionRetention = Duration.seconds(30 * 86_400)

/// The browsers that are kept of a player, and the players of a browser: the newest of each.
package let browsersMax = 8
package let browserPlayersMax = 32

/// The time for which a browser of a player's is kept unused, and longer while the player is banned.
package let browserRetention = sessionRetention

/// The rest of a session by which a guest counts as absent: a session that expires within it was unused for two days. A
/// guest's session is valid for 30 days and, while in use, is renewed after one day.
package let guestSessionsRest = Duration.seconds(27 * 86_400)
