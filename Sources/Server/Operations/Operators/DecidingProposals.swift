// Operators' decisions about proposals of lands.
//
// An accepted proposal becomes a land as an imported one does: surveyed on the thread of imports, then added in one
// commit with the decision and its row of the audit log.
import Game
import Gateway
import Store

extension GameServer {
  func acceptLand(_ id: ProposalID, name: String?, _ task: OperatorTask) {
    context.gateway.store.landProposal(id) { [self] found in
      switch found {
      case .failure(let failure): services[0].post { _ in task.refuse("\(failure)", code: "STORE_UNAVAILABLE") }
      case .success(let proposal?) where proposal.state == .waiting: accept(proposal, name: name, task)
      case .success: services[0].post { _ in task.refuseAsNotWaiting(id) }
      }
    }
  }

  private func accept(_ proposal: LandProposal, name: String?, _ task: OperatorTask) {
    let isTaken = context.imports.run { [self] in
      let offered = OfferedLand(name: name ?? proposal.name, ring: proposal.ring)
      let land: Land
      switch offered.land {
      case .success(let surveyed): land = surveyed
      case .failure(let why): return services[0].post { _ in task.refuse(why.text, code: "LAND_REFUSED") }
      }
      begin(task) { service in
        let change = ProposalChange.accept(proposal.id, land, task.entry(at: service.gateway.now))
        service.gateway.journal.add(change) { outcome in
          switch outcome {
          case .accepted(let isNew):
            self.context.landsChanged()
            self.context.notify(.operatorActed(.acceptedLand(proposal.id)))
            task.done(isNew ? "land \(land.id) is added: \(land.name)" : "land \(land.id) was there already")
          case .unavailable: task.refuseForDamage()
          default: task.refuseAsNotWaiting(proposal.id)
          }
        }
      }
    }
    if !isTaken { services[0].post { _ in task.refuseAsBusy() } }
  }

  func declineLand(_ id: ProposalID, reason: String, _ task: OperatorTask) {
    begin(task) { service in
      let change = ProposalChange.decline(id, reason: reason, task.entry(at: service.gateway.now))
      service.gateway.journal.add(change) { outcome in
        switch outcome {
        case .declined:
          self.context.notify(.operatorActed(.declinedLand(id)))
          task.done("proposal \(id) is declined")
        case .unavailable: task.refuseForDamage()
        default: task.refuseAsNotWaiting(id)
        }
      }
    }
  }
}

extension OperatorTask {
  fileprivate func refuseAsNotWaiting(_ id: ProposalID) {
    refuse("no proposal \(id) waits: it was decided, or its player is deleted", code: "PROPOSAL_NOT_FOUND")
  }
}
