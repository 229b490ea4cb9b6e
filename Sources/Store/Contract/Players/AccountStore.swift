// Who a player is. Part of the contract. Players and sessions are written by `SessionChange` and `AccountChange`.
import Game

/// Accounts and sessions. Calls with a completion return at once, on any thread; the others block.
package protocol AccountStore: Sendable {
  /// The password of the account with this e-mail, compared byte by byte: as it was registered, in the one form that
  /// the server gives it. Nil when there is none.
  func password(ofEmail email: String, _ completion: @escaping Completion<StoredPassword?>)

  /// The password of an account; nil for guests and for unknown players.
  func password(of player: PlayerID, _ completion: @escaping Completion<StoredPassword?>)

  /// Those of these players whom the store does not know, in the order given: they never were, they have been deleted,
  /// or their deletion has begun. Blocks.
  func unknownPlayers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID]

  /// The highest number of a connection that has begun or resumed a session which is still stored; 0 without any.
  /// Blocks.
  var lastConnection: UInt64 { get throws(StoreFailure) }
}

/// So many ended sessions are kept of a player, the newest by connection, to answer that they have ended; older ones
/// are unknown.
package let endedSessionsMax = 8

/// A session's stored expiry moves only when it moves by so much: else each use of it would be a write.
package let sessionRenewalMin = Duration.seconds(86_400)

/// How long a session that has ended or expired is kept, to answer that it has.
package let sessionRetention = Duration.seconds(30 * 86_400)

/// A guest's session is good for 30 days and, while it is in use, renewed when a day of them is over, so one that
/// expires within so long has not been used for two days.
package let guestSessionsRest = Duration.seconds(27 * 86_400)
