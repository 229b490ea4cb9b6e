// Imports of lands into the running server.
//
// Lands are surveyed on a thread that is no shard's: that takes tens of milliseconds. One import follows the other
// there. The commit is the first shard's, like other actions'.
import Game
import Gateway
import Store

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
          self.context.notify(.operatorActed(.imported(.lands, outcome.text)))
          task.done(outcome.text)
        }
      }
    }
    if !isTaken { task.refuseAsBusy() }
  }
}
