// The server's notifications as log events: their labels and levels.
//
// Immutable; any thread. Strangers must not be able to cause endless events at info or above. Events that they can
// cause at will are for debugging.
import Commands
import Game
import Gateway
import Logging
import Server

/// The labels of events, for which levels can be set.
package enum LogLabel: String, CaseIterable, Sendable {
  case server = "madang"
  case store = "madang.store"
  case rooms = "madang.rooms"
  case players = "madang.players"
  case operators = "madang.operators"
  case taps = "madang.taps"
  case net = "madang.net"
}

package struct ServerLog: Sendable {
  package let server = Logger(.server)
  private let store = Logger(.store)
  private let rooms = Logger(.rooms)
  private let players = Logger(.players)
  private let operators = Logger(.operators)
  private let taps = Logger(.taps)
  private let net = Logger(.net)

  package init() {}

  package func log(_ notification: OperatorNotification) {
    switch notification {
    case .gateway(let notification):
      log(notification)
    case .roomOpened(let room, let mode, let isSolo):
      rooms.debug("room opened", metadata: ["room": "\(room)", "mode": "\(mode.name)", "solo": "\(isSolo)"])
    case .roomClosed(let room):
      rooms.debug("room closed", metadata: ["room": "\(room)"])
    case .roomMoved(let room, let from, let to):
      rooms.debug("room moved to another shard", metadata: ["room": "\(room)", "from": "\(from)", "to": "\(to)"])
    case .gameBegan(let game, let players):
      rooms.debug("game began", metadata: ["game": "\(game)", "players": "\(players)"])
    case .gameEnded(let game, let players, let duration):
      rooms.debug(
        "game ended",
        metadata: ["game": "\(game)", "players": "\(players)", "seconds": "\(duration.components.seconds)"]
      )
    case .sessionBegan(let player):
      players.debug("session began", metadata: ["player": "\(player)"])
    case .tokensRefused(let address):
      players.debug("a connection had tokens that are no session's", metadata: ["address": "\(address)"])
    case .playerDeleted:
      players.debug("player deleted")
    case .webhookSwitchedOff(let id, let why):
      server.error(
        "a webhook is switched off, and its events wait: see madang webhooks enable",
        metadata: ["webhook": "\(id)", "why": "\(why)"]
      )
    case .pictureNotCleaned(let why):
      server.warning("the program that cleans pictures has failed", metadata: ["why": "\(why)"])
    case .photoMissing(let country, let why):
      server.info("the source has no new photo of a country", metadata: ["country": "\(country)", "why": "\(why)"])
    case .photoSourceFails(let why):
      server.warning("no photos can be fetched, and it is tried again later", metadata: ["why": "\(why)"])
    case .photoRequestsUsed(let count):
      server.notice("the day's requests to the source of photos are used up", metadata: ["requests": "\(count)"])
    case .copyFails(let why):
      store.error("the copy of the data can't be written, and is tried again", metadata: ["why": "\(why)"])
    case .copyWorks:
      store.notice("the copy of the data is written again")
    case .copyGeneration(let id):
      store.info("a new generation of the copy is whole", metadata: ["generation": "\(id)"])
    case .operatorActed(let action):
      log(action)
    case .seasonClosed(let season):
      taps.notice("season closed", metadata: ["season": "\(season)"])
    case .tapsVoided(let player, let count):
      taps.notice("taps voided", metadata: ["player": "\(player)", "count": "\(count)"])
    }
  }

  private func log(_ notification: GatewayNotification) {
    switch notification {
    case .storeFails(let why):
      store.error("nothing can be committed, so durable commands are refused until it can", metadata: ["why": "\(why)"])
    case .storeWorks:
      store.notice("the store works again")
    case .maintenanceFails(let why):
      store.error("maintenance of the store failed", metadata: ["why": "\(why)"])
    case .segmentLost(let segment):
      store.error(
        "a segment of journals can't be read and was set aside: what rooms did in it is lost",
        metadata: [
          "segment": "\(segment.number)", "bytes": "\(segment.byteCount)", "written": "\(segment.writtenAt.utc)",
        ]
      )
    case .clockSuspect(let suspicion):
      server.error(
        "\(suspicion.summary)",
        metadata: ["clock": "\(suspicion.clock.utc)", "lastCommit": "\(suspicion.lastTrusted.utc)"]
      )
    case .clockAccepted:
      server.notice("an operator has accepted the clock: things expire again")
    case .clockRecordFails(let why, let nothingExpires):
      let effect = nothingExpires ? "; nothing expires until it is read" : ""
      server.error(
        "the record of the clock can't be read or written, and is tried again\(effect)",
        metadata: ["why": "\(why)"]
      )
    case .clockRecordWorks:
      server.notice("the record of the clock has been read and written again")
    case .shardOverloaded(let shard):
      server.warning(
        "a shard is overloaded: its ticks come late, and new rooms are made on other shards or refused",
        metadata: ["shard": "\(shard)"]
      )
    case .shardRecovered(let shard):
      server.notice("the shard keeps up again", metadata: ["shard": "\(shard)"])
    case .dataNearBound(let used, let most):
      store.warning(
        "the data folder is nearly full; when it is, durable commands are refused until there is room",
        metadata: ["bytes": "\(used)", "max": "\(most)"]
      )
    case .sessionEnded(let player, let code):
      players.debug("session ended", metadata: ["player": "\(player)", "code": "\(code.map { "\($0)" } ?? "none")"])
    case .newcomersRefused(let count):
      net.warning(
        "newcomers were turned away, over a limit or for want of descriptors",
        metadata: ["count": "\(count)"]
      )
    case .unknownField(let text):
      net.debug("a client's message has an unknown field", metadata: ["field": "\(text)"])
    case .undeclaredProxy(let address):
      net.warning(
        """
        a proxy on this machine names its clients and is not trusted, so no limit for an address holds: set \
        --trusted-proxies \(address), with --proxy-protocol where it speaks that
        """
      )
    }
  }

  /// Logs the actions of operators; their words are only in the audit log.
  private func log(_ action: PerformedAction) {
    switch action {
    case .kicked(let player):
      operators.notice("player kicked", metadata: ["player": "\(player)"])
    case .banned(let player, let duration):
      operators.notice("player banned", metadata: ["player": "\(player)", "seconds": "\(Self.seconds(duration))"])
    case .unbanned(let player):
      operators.notice("player's ban lifted", metadata: ["player": "\(player)"])
    case .muted(let player, let duration):
      operators.notice("player muted", metadata: ["player": "\(player)", "seconds": "\(Self.seconds(duration))"])
    case .unmuted(let player):
      operators.notice("player's mute lifted", metadata: ["player": "\(player)"])
    case .closed(let room):
      operators.notice("room closed by an operator", metadata: ["room": "\(room)"])
    case .announced(let room):
      operators.notice("announcement made", metadata: ["room": "\(room.map { "\($0)" } ?? "all")"])
    case .imported(let list, let counts):
      operators.notice("list imported", metadata: ["list": "\(list.rawValue)", "counts": "\(counts)"])
    case .removedFences(let count):
      operators.notice("fences removed", metadata: ["count": "\(count)"])
    case .addedWebhook(let id):
      operators.notice("webhook added", metadata: ["webhook": "\(id)"])
    case .removedWebhook(let id):
      operators.notice("webhook removed", metadata: ["webhook": "\(id)"])
    case .enabledWebhook(let id):
      operators.notice("webhook enabled", metadata: ["webhook": "\(id)"])
    case .testedWebhook(let id):
      operators.notice("test event sent to a webhook", metadata: ["webhook": "\(id)"])
    case .renamedLand(let land):
      operators.notice("land renamed", metadata: ["land": "\(land)"])
    case .acceptedLand(let proposal):
      operators.notice("proposed land accepted", metadata: ["proposal": "\(proposal)"])
    case .declinedLand(let proposal):
      operators.notice("proposed land declined", metadata: ["proposal": "\(proposal)"])
    case .moderated(let subject, let decision):
      let what = decision == .hide ? "reported thing hidden" : "reported thing restored"
      operators.notice("\(what)", metadata: ["\(subject.kind)": "\(PlayerID(subject.id))"])
    case .warned(let player):
      operators.notice("player warned", metadata: ["player": "\(player)"])
    case .offeredReset(let player):
      operators.notice("link for a new password made", metadata: ["player": "\(player)"])
    case .changedAccess(let act, let name, let detail):
      operators.notice(
        "operators changed",
        metadata: ["act": "\(act.rawValue)", "by": "\(name)", "detail": "\(detail)"]
      )
    case .signedIn(let name, let address):
      operators.notice("operator signed in", metadata: ["operator": "\(name)", "address": "\(address)"])
    case .setPassword(let name):
      operators.notice("operator's password set", metadata: ["operator": "\(name)"])
    case .askedToEnd:
      operators.notice("an operator ends the server")
    }
  }

  private static func seconds(_ duration: Duration?) -> String {
    duration.map { "\($0.components.seconds)" } ?? "none"
  }
}

extension ClockSuspicion {
  /// The problem and the remedy.
  fileprivate var summary: String {
    let hours = abs((clock - lastTrusted).components.seconds) / 3_600
    let distance = hours < 48 ? "\(hours) hours" : "\(hours / 24) days"
    let side = clock > lastTrusted ? "ahead of" : "behind"
    return """
      the clock is \(distance) \(side) the last commit, so nothing expires: if the clock is right, run madang accept-clock; \
      if not, set it right and start the server again
      """
  }
}

extension Logger {
  fileprivate init(_ label: LogLabel) {
    self.init(label: label.rawValue)
  }
}
