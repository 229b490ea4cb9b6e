// What operators do to players, rooms, the contest and the server, and what comes of it.
import Game
import Net

/// Something that an operator does. Whatever is done is written to the audit log in the same commit.
package enum OperatorAction: Sendable, Hashable {
  /// Out of their room for good and disconnected; may come again.
  case kick(PlayerID)
  /// Kicked, and let in by nothing until it ends; without a duration until it is lifted.
  case ban(PlayerID, for: Duration?, reason: String)
  case unban(PlayerID)
  /// Their chats are refused until it ends; without a duration until it is lifted.
  case mute(PlayerID, for: Duration?, reason: String)
  case unmute(PlayerID)
  /// The room ends for good, a game on in it without a result.
  case closeRoom(RoomID)
  /// Tells a text to a room, or to everybody who is connected.
  case announce(String, in: RoomID?)
  /// Ends the server in good order, as SIGTERM does.
  case drain
  /// The season that runs must be this one: who says it twice closes no second one.
  case closeSeason(UInt32)
  /// Takes what a player has counted in a season so far out of the schools' totals.
  case voidTaps(PlayerID, season: UInt32)
}

/// What came of it, in English, for the operator.
package enum OperatorActionOutcome: Sendable, Hashable {
  case done(String)
  /// Nothing was done: there is no such player or room, or nothing can be committed. Of these the audit log has one
  /// alone: an announcement to a room that ended before its row was committed.
  case refused(String)
}
