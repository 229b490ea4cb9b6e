// Notifications of the server to its operator, while it runs.
//
// Values. They name players, rooms and games by their identifiers: never a token, a password, a text or a position.
import Game
import Gateway
import Net
import Store

package enum OperatorNotification: Sendable, Equatable {
  /// A notification about the store, the clock or connections.
  case gateway(GatewayNotification)

  // Rooms.

  case roomOpened(RoomID, Mode, isSolo: Bool)
  case roomClosed(RoomID)
  /// A lobby has moved to another shard before its game, because its own was full.
  case roomMoved(RoomID, from: Int, to: Int)
  case gameBegan(GameID, players: Int)
  case gameEnded(GameID, players: Int, after: Duration)

  // Players.

  /// A player's connection has a session, new or resumed.
  case sessionBegan(PlayerID)
  /// A connection was closed for invalid tokens.
  case tokensRefused(from: IPAddress)
  /// A player was deleted; their identity is forgotten.
  case playerDeleted

  // Webhooks.

  /// A target of webhooks is sent nothing more until an operator enables it; the reason.
  case webhookSwitchedOff(WebhookID, String)

  // Pictures.

  /// The program that cleans pictures was killed, or does not run; the reason.
  case pictureNotCleaned(String)

  // Photos.

  /// A country has no photo today, or only an old one; the reason.
  case photoMissing(CountryCode, String)
  /// The source of photos can't be asked, and rests for a while; the reason.
  case photoSourceFails(String)
  /// The day's requests to the source of photos are used up; their number.
  case photoRequestsUsed(Int)

  // The streamed copy.

  /// The copy of the data can't be written, and is tried again; the reason.
  case copyFails(String)
  /// The copy is written again.
  case copyWorks
  /// A store can be restored from a new generation of the copy; its identifier.
  case copyGeneration(String)

  /// An operator has done something through the server.
  case operatorActed(PerformedAction)

  // School taps.

  case seasonClosed(UInt32)
  case tapsVoided(of: PlayerID, count: Int64)
}

/// An operator's action through the server, except for actions on the contest.
package enum PerformedAction: Sendable, Equatable {
  case kicked(PlayerID)
  /// A ban; without a duration it holds until it is lifted.
  case banned(PlayerID, for: Duration?)
  case unbanned(PlayerID)
  case muted(PlayerID, for: Duration?)
  case unmuted(PlayerID)
  case closed(RoomID)
  /// An announcement; to everybody where there is no room.
  case announced(in: RoomID?)
  /// The server is to end in good order.
  case askedToEnd
  /// A list was imported, with these counts.
  case imported(ImportedList, String)
  /// Some fences were removed; the number of those that were there.
  case removedFences(Int)
  case addedWebhook(WebhookID)
  case removedWebhook(WebhookID)
  case enabledWebhook(WebhookID)
  case testedWebhook(WebhookID)
  case renamedLand(LandID)
  /// A proposal of a land was accepted.
  case acceptedLand(ProposalID)
  case declinedLand(ProposalID)
  /// A reported thing was decided on.
  case moderated(ReportSubject, ModerationDecision)
  case warned(PlayerID)
  /// A link for a new password was made.
  case offeredReset(PlayerID)
  /// Operators, tokens or sessions were changed: the act, by whom, and the details.
  case changedAccess(OperatorAct, by: String, String)
  /// An operator has signed in; their name.
  case signedIn(String, from: IPAddress)
  /// An operator has set a password.
  case setPassword(String)

  package enum ImportedList: String, Sendable {
    case lands
    case schools
    case fences
  }
}
