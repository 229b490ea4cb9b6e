// The table of acts: each thing that an operator can do by the console's feed, and the least role that may do it.
//
// Pure. There is no other table: the feed refuses by this one, and the page shows what it says. An act that is not in
// it can't be read from a message.
// Decisions: 131 (docs/decisions).
import OperatorAccounts

package enum OperatorAct: String, Sendable, CaseIterable {
  case kick, ban, unban, mute, unmute
  case hide, restore, warn
  case announce, closeRoom
  case acceptLand, declineLand
  case voidTaps, closeSeason
  case importLands, renameLand, importSchools, editSchool, importFences, removeFences
  case addWebhook, removeWebhook, enableWebhook, testWebhook
  case drain
  case resetPassword
  case addOperator, addToken, setRole, removeOperator, resetOperator
  case endSession, endOwnSession

  /// The least role that may do it.
  package var leastRole: OperatorRole {
    switch self {
    // One's own sessions are nobody else's business.
    case .endOwnSession: .viewer
    // About players and what they do, write and propose.
    case .kick, .ban, .unban, .mute, .unmute, .hide, .restore, .warn, .announce, .closeRoom, .acceptLand, .declineLand:
      .moderator
    // About the server, its lists, its contest, and who may come in.
    case .voidTaps, .closeSeason, .importLands, .renameLand, .importSchools, .editSchool, .importFences, .removeFences,
      .addWebhook, .removeWebhook, .enableWebhook, .testWebhook, .drain, .resetPassword, .addOperator, .addToken,
      .setRole, .removeOperator, .resetOperator, .endSession:
      .admin
    }
  }

  /// Whether a person must say why: it takes something from players. Machines have their reasons in logs of their own.
  package var needsReason: Bool {
    switch self {
    case .kick, .ban, .closeRoom, .voidTaps: true
    default: false
    }
  }
}
