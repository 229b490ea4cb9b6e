// Operators' decisions about reported things, and their warnings to players.
//
// Each is one commit with its row of the audit log. Who watches, and who is warned, is told behind it.
// Decisions: 122 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Store

struct Moderating: Sendable {
  let server: GameServer

  func decide(_ subject: ReportSubject, _ decision: ModerationDecision, _ task: OperatorTask) {
    server.begin(task) { service in
      let change = ModerationChange.decide(subject, decision, task.entry(at: service.gateway.now))
      let moderation = service.moderation
      service.gateway.journal.add(change) { outcome in
        switch outcome {
        case .decided(let thing, let isChanged):
          if isChanged { moderation.tell(thing, isHidden: decision == .hide) }
          server.context.notify(.operatorActed(.moderated(subject, decision)))
          task.done("\(subject.name) is \(decision == .hide ? "hidden" : "restored")")
        case .unavailable: task.refuseForDamage()
        default: task.refuse("there is no \(subject.name)", code: "SUBJECT_NOT_FOUND")
        }
      }
    }
  }

  func warn(_ player: PlayerID, about subject: ReportSubject?, _ text: String, _ task: OperatorTask) {
    server.begin(task) { service in
      let now = service.gateway.now
      let id = WarningID(service.gateway.context.drawNumber(UInt128.self))
      let warning = PlayerWarning(id: id, player: player, subject: subject, text: text, at: now)
      service.gateway.journal.add(ModerationChange.warn(warning, task.entry(at: now))) { outcome in
        switch outcome {
        case .warned:
          server.context.notify(.operatorActed(.warned(player)))
          tell(warning, task)
        case .tooMany:
          let why = "player \(player) has \(PlayerWarning.pendingMax) warnings that they have not seen"
          task.refuse(why, code: "TOO_MANY_WARNINGS")
        case .unavailable: task.refuseForDamage()
        default: task.refuse("there is no player \(player)", code: "PLAYER_NOT_FOUND")
        }
      }
    }
  }

  /// Tells a connected player of a committed warning. Who comes later gets it from the store.
  private func tell(_ warning: PlayerWarning, _ task: OperatorTask) {
    server.whenAllShardsKnow {
      let directory = server.context.gateway.directory
      let order: @Sendable (Session) -> Void = { $0.send(.warning(WireWarning(warning))) }
      guard let place = directory.keep(order, for: warning.player) else {
        return task.done("player \(warning.player) is warned when they come")
      }
      server.services[place.shard].post { service in
        service.gateway.carryOutOrders(at: place)
        task.done("player \(warning.player) is warned")
      }
    }
  }
}

extension ReportSubject {
  /// The thing as operators' texts and the audit log name it.
  var name: String { "\(kind.name) \(PlayerID(id))" }
}
