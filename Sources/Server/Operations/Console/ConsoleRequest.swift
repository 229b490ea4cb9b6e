// The requests of a console to its feed: a view to watch, an action, or a question. docs/CONSOLE.md describes them.
//
// Values, and their reading; pure. A fault in an action is reported to the operator. A message that none of our pages
// would send closes the feed.
import ConsoleProtocol
import Game
import MadangProtocol
import Store
import WebSocket

package enum ConsoleRequest: Sendable, Equatable {
  case watch(ConsoleView)
  /// An action, with the number for its reply, and the operator's words on why.
  case act(Int32, OperatorAction, reason: String = "")
  /// A change of who may come in, with the same.
  case access(Int32, AccessChange, reason: String = "")
  /// A part of an edition of schools, with the number for its reply. More parts may follow.
  case schools(Int32, [School], isFirst: Bool, isLast: Bool)
  /// The games of a room, with the number for its reply.
  case games(Int32, RoomID)
  /// Where a player comes from, with the number for its reply.
  case network(Int32, PlayerID)
  /// Players whom a text finds, and all of one player, with the number for the reply.
  case players(Int32, PlayerSearch)
  case file(Int32, PlayerID)
  /// Schools of the whole list, with the number for the reply.
  case findSchools(Int32, SchoolsQuery)
  /// The minutes of the server's history after a moment, with the number for its reply.
  case minutes(Int32, after: Instant?)
  /// The changes that imports would make, with the number for the reply.
  case previewFences(Int32, [OfferedFence], without: [FenceID])
  case previewLands(Int32, [OfferedLand])
  /// An action or question that is invalid as it stands; the text gives the reason.
  case unanswerable(Int32, String)

  /// Reads a message.
  ///
  /// - Throws: the status that closes the feed.
  package init(_ bytes: [UInt8]) throws(ConsoleRequestFault) {
    do {
      let request = try FeedRequest(consoleJSON: bytes)
      if request.hasWatch {
        self = .watch(try ConsoleView(request.watch, bytes))
      } else {
        self = try Self.numbered(request, bytes)
      }
    } catch {
      let text = Self.text(of: error, in: bytes)
      guard ConsoleJSON.isValue(bytes) else {
        throw ConsoleRequestFault(closeCode: CloseStatus.invalidPayload, reason: "not JSON: \(text)")
      }
      throw ConsoleRequestFault(closeCode: CloseStatus.policyViolation, reason: text)
    }
  }

  private static func numbered(_ request: FeedRequest, _ bytes: [UInt8]) throws -> ConsoleRequest {
    guard request.hasID, request.hasAct || request.hasQuery else {
      throw ConsoleFieldFault("watch, or id with act or query")
    }
    let id = request.id
    guard id > 0 else { throw ConsoleFieldFault("id: a whole number, 1 to \(Int32.max)") }
    do {
      if request.hasAct {
        guard let act = OperatorAct(rawValue: request.act) else {
          throw ConsoleFieldFault("act: nothing that can be done")
        }
        if act == .importSchools { return try schools(id, bytes) }
        // A declined player reads the reason, which is the action's own.
        let reason = act == .declineLand ? "" : try FeedBecause(consoleJSON: bytes).reason
        if let change = try AccessChange(act, bytes) { return .access(id, change, reason: reason) }
        return .act(id, try OperatorAction(act, bytes), reason: reason)
      }
      switch request.query {
      case "games": return .games(id, try FeedGamesOfRoom(consoleJSON: bytes).room.roomID)
      case "network": return .network(id, try FeedNetworkOfPlayer(consoleJSON: bytes).player.playerID)
      case "players": return .players(id, try PlayerSearch(FeedFindPlayers(consoleJSON: bytes)))
      case "player": return .file(id, try FeedFileOfPlayer(consoleJSON: bytes).player.playerID)
      case "schools": return .findSchools(id, try SchoolsQuery(FeedFindSchools(consoleJSON: bytes)))
      case "minutes": return .minutes(id, after: try FeedAskMinutes(consoleJSON: bytes).moment)
      case "previewFences":
        let asked = try FeedPreviewFences(consoleJSON: bytes)
        return .previewFences(
          id,
          try asked.fences.map(OfferedFence.init),
          without: try asked.removedFenceIds.map { try $0.fenceID }
        )
      case "previewLands":
        return .previewLands(id, try FeedPreviewLands(consoleJSON: bytes).lands.map(OfferedLand.init))
      default:
        throw ConsoleFieldFault("query: games, network, players, player, schools, minutes, previewFences, previewLands")
      }
    } catch {
      return .unanswerable(id, text(of: error, in: bytes))
    }
  }

  static func text(of error: any Error, in bytes: [UInt8]) -> String {
    if let fault = error as? ConsoleFieldFault { return fault.text }
    return bytes.withUnsafeBytes { DecodingFailure(error, of: $0, id: nil).text }
  }
}

/// The status that closes a feed after an invalid message.
package struct ConsoleRequestFault: Error, Equatable {
  package let closeCode: UInt16
  package let reason: String
}

extension String {
  var playerID: PlayerID {
    get throws(ConsoleFieldFault) {
      guard let player = PlayerID(self) else { throw ConsoleFieldFault("player: 32 hexadecimal digits") }
      return player
    }
  }

  fileprivate var proposalID: ProposalID {
    get throws(ConsoleFieldFault) {
      guard let proposal = ProposalID(self) else { throw ConsoleFieldFault("proposal: 32 hexadecimal digits") }
      return proposal
    }
  }

  var fenceID: FenceID {
    get throws(ConsoleFieldFault) {
      guard let fence = FenceID(self) else { throw ConsoleFieldFault("fence: 32 hexadecimal digits") }
      return fence
    }
  }

  var landID: LandID {
    get throws(ConsoleFieldFault) {
      guard let land = LandID(self) else { throw ConsoleFieldFault("land: 32 hexadecimal digits") }
      return land
    }
  }

  var webhookID: WebhookID {
    get throws(ConsoleFieldFault) {
      guard let webhook = WebhookID(self) else { throw ConsoleFieldFault("webhook: 32 hexadecimal digits") }
      return webhook
    }
  }

  var roomID: RoomID {
    get throws(ConsoleFieldFault) {
      guard let room = RoomID(self) else { throw ConsoleFieldFault("room: 32 hexadecimal digits") }
      return room
    }
  }
}

extension OperatorAction {
  /// The minutes of a sanction: up to ten years.
  private static let minutesRange: ClosedRange<Int32> = 1...5_256_000

  /// Reads an action by its act, which is one of an action.
  init(_ act: OperatorAct, _ bytes: [UInt8]) throws {
    var player: PlayerID { get throws { try FeedActOnPlayer(consoleJSON: bytes).player.playerID } }
    var webhook: WebhookID { get throws { try FeedActOnWebhook(consoleJSON: bytes).webhook.webhookID } }
    switch act {
    case .kick: self = .kick(try player)
    case .ban:
      let ban = try FeedSanction(consoleJSON: bytes)
      let scope = ban.hasAddressBan ? try Self.scope(ban.addressBan) : nil
      self = .ban(try ban.player.playerID, for: try Self.duration(ban), reason: ban.reason, address: scope)
    case .unban: self = .unban(try player)
    case .mute:
      let mute = try FeedSanction(consoleJSON: bytes)
      self = .mute(try mute.player.playerID, for: try Self.duration(mute), reason: mute.reason)
    case .unmute: self = .unmute(try player)
    case .resetPassword: self = .resetPassword(try player)
    case .closeRoom: self = .closeRoom(try FeedCloseRoom(consoleJSON: bytes).room.roomID)
    case .announce:
      let announce = try FeedAnnounce(consoleJSON: bytes)
      guard announce.hasText else { throw ConsoleFieldFault("text: missing") }
      self = .announce(announce.text, in: announce.hasRoom ? try announce.room.roomID : nil)
    case .drain: self = .drain
    case .closeSeason:
      self = .closeSeason(try Self.season(FeedCloseSeason(consoleJSON: bytes).season))
    case .voidTaps:
      let void = try FeedVoidTaps(consoleJSON: bytes)
      self = .voidTaps(try void.player.playerID, season: try Self.season(void.season))
    case .importLands:
      let offered = try FeedImportLands(consoleJSON: bytes).lands
      guard !offered.isEmpty else { throw ConsoleFieldFault("lands: at least one") }
      self = .importLands(try offered.map(OfferedLand.init))
    case .renameLand:
      let rename = try FeedRenameLand(consoleJSON: bytes)
      self = .renameLand(try rename.land.landID, name: rename.name)
    case .editSchool: self = .editSchool(try SchoolCorrection(FeedEditSchool(consoleJSON: bytes)))
    case .importFences:
      let offered = try FeedImportFences(consoleJSON: bytes).fences
      guard !offered.isEmpty else { throw ConsoleFieldFault("fences: at least one") }
      self = .importFences(try offered.map(OfferedFence.init))
    case .removeFences:
      let ids = try FeedRemoveFences(consoleJSON: bytes).fenceIds
      guard !ids.isEmpty else { throw ConsoleFieldFault("fenceIds: at least one") }
      self = .removeFences(try ids.map { try $0.fenceID })
    case .addWebhook: self = .addWebhook(try OfferedWebhook(FeedAddWebhook(consoleJSON: bytes)))
    case .removeWebhook: self = .removeWebhook(try webhook)
    case .enableWebhook: self = .enableWebhook(try webhook)
    case .testWebhook: self = .testWebhook(try webhook)
    case .acceptLand:
      let accept = try FeedAcceptLand(consoleJSON: bytes)
      self = .acceptLand(try accept.proposal.proposalID, name: accept.hasName ? accept.name : nil)
    case .declineLand:
      let decline = try FeedDeclineLand(consoleJSON: bytes)
      self = .declineLand(try decline.proposal.proposalID, reason: decline.reason)
    case .hide: self = try Self.moderate(bytes) { .hide($0, reason: $1) }
    case .restore: self = try Self.moderate(bytes) { .restore($0, reason: $1) }
    case .warn:
      let warn = try FeedWarn(consoleJSON: bytes)
      let subject = warn.hasKind || warn.hasSubject ? try Self.subject(warn.kind, warn.subject) : nil
      self = .warn(try warn.player.playerID, about: subject, text: warn.text)
    case .importSchools, .addOperator, .addToken, .setRole, .removeOperator, .resetOperator, .endSession,
      .endOwnSession:
      preconditionFailure("\(act.rawValue) is read elsewhere")
    }
  }

  private static func moderate(
    _ bytes: [UInt8],
    _ action: (ReportSubject, String) -> OperatorAction
  ) throws -> OperatorAction {
    let act = try FeedModerate(consoleJSON: bytes)
    return action(try subject(act.kind, act.subject), act.reason)
  }

  private static func subject(_ kind: String, _ id: String) throws(ConsoleFieldFault) -> ReportSubject {
    guard let known = ReportKind.allCases.first(where: { $0.name == kind }) else {
      throw ConsoleFieldFault("kind: \(ReportKind.allCases.map(\.name).joined(separator: ", "))")
    }
    guard let id = PlayerID(id) else { throw ConsoleFieldFault("subject: 32 hexadecimal digits") }
    return ReportSubject(known, id.value)
  }

  private static func scope(_ word: String) throws(ConsoleFieldFault) -> AddressBanScope {
    guard let scope = AddressBanScope(rawValue: word) else {
      throw ConsoleFieldFault("addressBan: \(AddressBanScope.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return scope
  }

  private static func duration(_ sanction: FeedSanction) throws(ConsoleFieldFault) -> Duration? {
    guard sanction.hasMinutes else { return nil }
    guard minutesRange.contains(sanction.minutes) else {
      throw ConsoleFieldFault("minutes: a whole number, \(minutesRange.lowerBound) to \(minutesRange.upperBound)")
    }
    return .seconds(Int64(sanction.minutes) * 60)
  }

  private static func season(_ season: UInt32) throws(ConsoleFieldFault) -> UInt32 {
    guard season > 0 else { throw ConsoleFieldFault("season: a whole number from 1") }
    return season
  }
}
