// Imports of lands into the running server, and new names of lands.
//
// Lands are surveyed on a thread that is no shard's: that takes tens of milliseconds. One import follows the other
// there. The commit is the first shard's, like other actions'.
import Game
import Gateway
import Store
import Synchronization

extension GameServer {
  func importLands(_ offered: [OfferedLand], _ task: OperatorTask) {
    let isTaken = context.imports.run {
      var lands: [Land] = []
      for offer in offered {
        switch offer.land {
        case .success(let land): lands.append(land)
        case .failure(let why): return self.services[0].post { _ in task.refuse(why.text, code: "LAND_REFUSED") }
        }
      }
      self.begin(task) { [lands] service in
        let entry = task.entry(at: service.gateway.now)
        service.gateway.journal.add(ImportChange.lands(lands, entry)) { outcome in
          guard outcome != .unavailable else { return task.refuseForDamage() }
          self.context.landsChanged()
          self.context.notify(.operatorActed(.imported(.lands, outcome.text)))
          task.done(outcome.text)
        }
      }
    }
    if !isTaken { task.refuseAsBusy() }
  }
}

struct RenamingLands: Sendable {
  let server: GameServer

  /// Gives a land another name. Rooms that have it play on, under the name that they know.
  func rename(_ land: LandID, to name: String, _ task: OperatorTask) {
    let server = server
    server.begin(task) { service in
      let change = ImportChange.renameLand(land, name: name, task.entry(at: service.gateway.now))
      service.gateway.journal.add(change) { outcome in
        switch outcome {
        case .renamedLand:
          server.context.landsChanged()
          server.context.notify(.operatorActed(.renamedLand(land)))
          task.done(outcome.text)
        case .unknownLand: task.refuse("there is no such land", code: "LAND_NOT_FOUND")
        default: task.refuseForDamage()
        }
      }
    }
  }
}

extension ServerContext {
  /// Has consoles read lands anew.
  func landsChanged() { landChanges.add(1, ordering: .releasing) }
}
