// One operator's action on its way through the shards: the action, who asks for it and why, and the caller's
// completion.
//
// A value; any thread.
import Game
import Gateway
import MadangProtocol
import Net
import Store

struct OperatorTask: Sendable {
  let action: OperatorAction
  private let name: String
  private let address: IPAddress
  private let reason: String
  private let completion: @Sendable (OperatorActionOutcome) -> Void

  init(
    _ action: OperatorAction,
    by identity: OperatorIdentity,
    from address: IPAddress,
    because reason: String,
    _ completion: @escaping @Sendable (OperatorActionOutcome) -> Void
  ) {
    self.action = action
    name = identity.name
    self.address = address
    self.reason = reason.isEmpty ? action.reason : reason
    self.completion = completion
  }

  func done(_ text: String, link: String? = nil) { completion(.done(text, link: link)) }

  func added(_ target: WebhookTarget) { completion(.added(target)) }

  func refuse(_ why: String, code: String? = nil) { completion(.refused(why, code: code)) }

  func refuseAsBusy() { refuse("other lists are being imported: come back", code: "BUSY") }

  /// The action's entry for the audit log. `code` is that of the room.
  func entry(at now: Instant, room: RoomID? = nil, code: RoomCode? = nil, detail: String? = nil) -> AuditEntry {
    AuditEntry(
      at: now,
      address: "\(address)",
      operator: name,
      action: action.act.rawValue,
      player: action.player,
      room: room ?? action.room,
      code: code?.description,
      detail: detail ?? action.detail,
      reason: reason
    )
  }
}

extension OperatorAction {
  static let reasonCharactersMax = 500
  private static let reasonBytesMax = 8_000
  /// Ten years.
  static let durationMax = Duration.seconds(10 * 365 * 24 * 60 * 60)

  /// The act in the table of acts, whose name the audit log and operators' pages have.
  var act: OperatorAct {
    switch self {
    case .kick: .kick
    case .ban: .ban
    case .unban: .unban
    case .mute: .mute
    case .unmute: .unmute
    case .resetPassword: .resetPassword
    case .closeRoom: .closeRoom
    case .announce: .announce
    case .drain: .drain
    case .closeSeason: .closeSeason
    case .voidTaps: .voidTaps
    case .importLands: .importLands
    case .renameLand: .renameLand
    case .importSchools: .importSchools
    case .editSchool: .editSchool
    case .importFences: .importFences
    case .removeFences: .removeFences
    case .addWebhook: .addWebhook
    case .removeWebhook: .removeWebhook
    case .enableWebhook: .enableWebhook
    case .testWebhook: .testWebhook
    case .acceptLand: .acceptLand
    case .declineLand: .declineLand
    case .hide: .hide
    case .restore: .restore
    case .warn: .warn
    }
  }

  fileprivate var player: PlayerID? {
    switch self {
    case .kick(let player), .ban(let player, _, _, _), .unban(let player), .mute(let player, _, _), .unmute(let player),
      .resetPassword(let player), .voidTaps(let player, _), .warn(let player, _, _):
      player
    // The store tells the player of a proposal, and the author of a thing.
    case .closeRoom, .announce, .drain, .closeSeason, .importLands, .renameLand, .importSchools, .editSchool,
      .importFences, .removeFences, .addWebhook, .removeWebhook, .enableWebhook, .testWebhook, .acceptLand,
      .declineLand, .hide, .restore:
      nil
    }
  }

  fileprivate var room: RoomID? {
    switch self {
    case .closeRoom(let room): room
    case .announce(_, let room): room
    case .kick, .ban, .unban, .mute, .unmute, .resetPassword, .drain, .closeSeason, .voidTaps, .importLands,
      .renameLand, .importSchools, .editSchool, .importFences, .removeFences, .addWebhook, .removeWebhook,
      .enableWebhook, .testWebhook, .acceptLand, .declineLand, .hide, .restore, .warn:
      nil
    }
  }

  /// The details known before the action.
  fileprivate var detail: String {
    switch self {
    case .ban(_, let duration, _, _), .mute(_, let duration, _): Self.text(of: duration)
    case .announce(let text, _): text
    case .declineLand(_, let reason): reason
    case .hide(let subject, _), .restore(let subject, _): subject.name
    case .warn(_, let subject, let text): subject.map { "\($0.name): \(text)" } ?? text
    case .removeWebhook(let id), .enableWebhook(let id), .testWebhook(let id): "\(id)"
    // The target's identifier is drawn later. The store writes the counts of an import.
    case .kick, .unban, .unmute, .resetPassword, .closeRoom, .drain, .closeSeason, .voidTaps, .importLands,
      .renameLand, .importSchools, .editSchool, .importFences, .removeFences, .addWebhook, .acceptLand:
      ""
    }
  }

  /// The operator's words on why that the action itself has.
  fileprivate var reason: String {
    switch self {
    case .ban(_, _, let reason, _), .mute(_, _, let reason), .hide(_, let reason), .restore(_, let reason): reason
    default: ""
    }
  }

  static func text(of duration: Duration?) -> String {
    guard let seconds = duration?.components.seconds else { return "until it is lifted" }
    return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
  }

  /// The action's own fault, independent of the server's state; nil when there is none.
  var fault: String? {
    switch self {
    case .ban(_, let duration, let reason, _), .mute(_, let duration, let reason):
      if let duration, !(.seconds(1)...Self.durationMax).contains(duration) {
        return "it lasts at least 1 s and at most 10 years"
      }
      return Self.fault(ofReason: reason)
    case .hide(_, let reason), .restore(_, let reason): return Self.fault(ofReason: reason)
    case .warn(_, _, let text):
      return Self.fault { () throws(TextFault) in try ModerationRules.check(warning: text) }.map { "a warning: \($0)" }
    case .announce(let text, _):
      do throws(TextFault) {
        _ = try AnnouncementText(text)
        return nil
      } catch {
        return "\(error)"
      }
    case .importSchools(let edition):
      guard Set(edition.map(\.id)).count == edition.count else { return "an edition has each school once" }
      return edition.contains { !$0.isClosed } ? nil : "an edition has open schools"
    case .importFences(let offered):
      return Set(offered.map(\.id)).count == offered.count ? nil : "an import has each fence once"
    case .addWebhook(let offered): return offered.fault
    case .renameLand(_, let name):
      return Self.fault { () throws(TextFault) in try Land.check(name: name) }.map { "a land's name: \($0)" }
    case .acceptLand(_, let name):
      return name.flatMap { name in Self.fault { () throws(TextFault) in try Land.check(name: name) } }.map {
        "a land's name: \($0)"
      }
    case .declineLand(_, let reason):
      return Self.fault { () throws(TextFault) in try LandProposal.check(reason: reason) }.map { "a reason: \($0)" }
    case .editSchool(let correction):
      return correction.name == nil && correction.isClosed == nil
        ? "nothing to correct: a name, or whether it is closed" : nil
    case .kick, .unban, .unmute, .resetPassword, .closeRoom, .drain, .closeSeason, .voidTaps, .importLands,
      .removeFences, .removeWebhook, .enableWebhook, .testWebhook:
      return nil
    }
  }

  /// The fault of an operator's words on why; nil when there is none.
  static func fault(ofReason reason: String) -> String? {
    // No operator's text may steer a terminal that lists it.
    let isSteering = reason.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard reason.utf8.count <= reasonBytesMax, reason.count <= reasonCharactersMax, !isSteering else {
      return "a reason has at most \(reasonCharactersMax) characters, none of them a control character"
    }
    return nil
  }

  private static func fault(_ check: () throws(TextFault) -> Void) -> String? {
    do throws(TextFault) {
      try check()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
