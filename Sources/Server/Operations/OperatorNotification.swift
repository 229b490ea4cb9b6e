// Notifications of the server to its operator, while it runs.
//
// Values. They name players, rooms and games by their identifiers: never a token, a password, a text or a position.
import Game
import Gateway
import Net

package enum OperatorNotification: Sendable, Equatable {
  /// Of the store, the clock and connections.
  case gateway(GatewayNotification)

  // Rooms.

  case roomOpened(RoomID, Mode, isSolo: Bool)
  case roomClosed(RoomID)
  case gameBegan(GameID, players: Int)
  case gameEnded(GameID, players: Int, after: Duration)

  // Players.

  /// A player's connection has its session: a new one, or one that was resumed.
  case sessionBegan(PlayerID)
  /// A connection was closed for tokens that are no session's.
  case tokensRefused(from: IPAddress)
  /// Who it was is forgotten.
  case playerDeleted

  /// An operator has done something through the server.
  case operatorActed(PerformedAction)

  // School taps.

  case seasonClosed(UInt32)
  case tapsVoided(of: PlayerID, count: Int64)
}

/// What an operator has done through the server, but for what is done to the contest.
package enum PerformedAction: Sendable, Equatable {
  case kicked(PlayerID)
  /// Until it is lifted where there is no duration.
  case banned(PlayerID, for: Duration?)
  case unbanned(PlayerID)
  case muted(PlayerID, for: Duration?)
  case unmuted(PlayerID)
  case closed(RoomID)
  /// To everybody where there is no room.
  case announced(in: RoomID?)
  /// The server is to end in good order.
  case askedToEnd
}
