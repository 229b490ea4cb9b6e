// Operators' actions on players, rooms, the contest and the server, and their outcomes.
import Game
import Net
import Store

/// An operator's action. Every performed action is written to the audit log in the same commit.
package enum OperatorAction: Sendable, Hashable {
  /// Removes a player from their room for good and disconnects them; they may come again, but not into that room.
  case kick(PlayerID)
  /// Kicks a player and refuses every entry until the ban ends; without a duration until it is lifted. `address` bans
  /// new guests of the player's network too, for a day at most.
  case ban(PlayerID, for: Duration?, reason: String, address: AddressBanScope? = nil)
  case unban(PlayerID)
  /// Refuses a player's chats until the mute ends; without a duration until it is lifted.
  case mute(PlayerID, for: Duration?, reason: String)
  case unmute(PlayerID)
  /// Makes a one-time link by which the player of an account sets a new password; their sessions end then.
  case resetPassword(PlayerID)
  /// Ends a room for good, and a game in it without a result.
  case closeRoom(RoomID)
  /// Sends a text to a room, or to everybody who is connected.
  case announce(String, in: RoomID?)
  /// Ends the server in good order, as SIGTERM does.
  case drain
  /// Closes a season. It must be the running one, so that a repeated action closes no second one.
  case closeSeason(UInt32)
  /// Takes a player's counted taps of a season so far out of the schools' totals.
  case voidTaps(PlayerID, season: UInt32)
  /// Adds lands, all or none.
  case importLands([OfferedLand])
  /// Gives a land another name; its ring and its rankings stay.
  case renameLand(LandID, name: String)
  /// Applies an edition of the list of schools.
  case importSchools([School])
  /// Corrects one school of the list, until the next edition of it.
  case editSchool(SchoolCorrection)
  /// Adds fences, or replaces those with the same identifiers; all or none.
  case importFences([OfferedFence])
  case removeFences([FenceID])
  /// Adds a target of webhooks.
  case addWebhook(OfferedWebhook)
  case removeWebhook(WebhookID)
  /// Has a target of webhooks be sent to as if it had never failed.
  case enableWebhook(WebhookID)
  /// Sends a test event to a target of webhooks.
  case testWebhook(WebhookID)
  /// Makes a waiting proposal a land, under another name if there is one.
  case acceptLand(ProposalID, name: String?)
  /// Declines a waiting proposal, with a reason for its player.
  case declineLand(ProposalID, reason: String)
  /// Hides a thing from everybody but its author.
  case hide(ReportSubject, reason: String)
  /// Shows a thing again, or leaves it shown: reports hide it no more.
  case restore(ReportSubject, reason: String)
  /// Tells a player a text, perhaps about a thing of theirs, until they have seen it.
  case warn(PlayerID, about: ReportSubject?, text: String)
}

/// The place where new guests of a banned player's network are banned too.
package enum AddressBanScope: String, Sendable, Hashable, CaseIterable {
  /// The room that the player is in.
  case room
  case server
}

/// The outcome of an action, in English, for the operator.
package enum OperatorActionOutcome: Sendable, Hashable {
  /// `link` is an address that is shown once, and nowhere else.
  case done(String, link: String? = nil)
  /// A target of webhooks was added; the operator gets its secret this once.
  case added(WebhookTarget)
  /// Nothing was done: there is no such player or room, or nothing can be committed. The audit log has one such case:
  /// an announcement to a room that ended before its row was committed. `code` names the fault, for programs.
  case refused(String, code: String?)
}
