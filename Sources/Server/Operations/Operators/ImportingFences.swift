// Imports and removals of fences in the running server.
//
// Fences are checked on the thread of imports. The commit is the first shard's, like other actions'. The thread of
// imports then changes the catalogue, in the order of the commits: players' watches have it with their next fix.
import Game
import Gateway
import Store

extension GameServer {
  func importFences(_ offered: [OfferedFence], _ task: OperatorTask) {
    let isTaken = context.imports.run {
      var fences: [Fence] = []
      for offer in offered {
        switch offer.fence {
        case .success(let fence): fences.append(fence)
        case .failure(let why): return self.services[0].post { _ in task.refuse(why.text, code: why.code) }
        }
      }
      let encoded = fences.map { (id: $0.id, bytes: $0.encoded) }
      self.begin(task) { [fences] service in
        let now = service.gateway.now
        let stored = encoded.map { StoredFence(id: $0.id, bytes: $0.bytes, importedAt: now) }
        service.gateway.journal.add(ImportChange.fences(stored, task.entry(at: now))) { outcome in
          switch outcome {
          case .fences(let counts):
            self.changeFences(task, outcome.text, .imported(.fences, outcome.text)) {
              if counts.added + counts.replaced > 0 { self.context.fences.take(fences) }
            }
          case .tooManyFences:
            task.refuse("there would be more than \(StoredFence.countMax) fences", code: "TOO_MANY_FENCES")
          default: task.refuseForDamage()
          }
        }
      }
    }
    if !isTaken { services[0].post { _ in task.refuseAsBusy() } }
  }

  func removeFences(_ ids: [FenceID], _ task: OperatorTask) {
    let ids = Set(ids)
    begin(task) { service in
      let change = ImportChange.removeFences(ids.sorted(), task.entry(at: service.gateway.now))
      service.gateway.journal.add(change) { outcome in
        guard case .removedFences(let count) = outcome else { return task.refuseForDamage() }
        self.changeFences(task, outcome.text, .removedFences(count)) {
          if count > 0 { self.context.fences.remove(ids) }
        }
      }
    }
  }

  /// Changes the catalogue behind the changes of earlier commits, then ends the action.
  private func changeFences(
    _ task: OperatorTask,
    _ text: String,
    _ performed: PerformedAction,
    _ change: @escaping @Sendable () -> Void
  ) {
    context.imports.runAlways {
      change()
      self.context.notify(.operatorActed(performed))
      self.services[0].post { _ in task.done(text) }
    }
  }
}
