// Imports of the list of schools into the running server, and corrections of one school.
//
// A catalogue of schools is made on the thread of imports, in the order of the commits. The commit is the first
// shard's, like other actions'.
import Game
import Gateway
import Store

struct ImportingSchools: Sendable {
  let server: GameServer

  func apply(_ edition: [School], _ task: OperatorTask) {
    change(task) { .schools(edition, at: $0, $1) }
  }

  func correct(_ correction: SchoolCorrection, _ task: OperatorTask) {
    change(task) { .school(correction, at: $0, $1) }
  }

  private func change(_ task: OperatorTask, _ change: @escaping @Sendable (Instant, AuditEntry) -> ImportChange) {
    let server = server
    server.begin(task) { service in
      let now = service.gateway.now
      service.gateway.journal.add(change(now, task.entry(at: now))) { outcome in
        switch outcome {
        case .schools(let difference):
          // Commits of several editions take effect in their order.
          server.context.imports.runAlways {
            server.context.tally.take(difference)
            server.context.notify(.operatorActed(.imported(.schools, outcome.text)))
            server.services[0].post { _ in task.done(outcome.text) }
          }
        case .unknownSchool: task.refuse("there is no such school", code: "SCHOOL_NOT_FOUND")
        default: task.refuseForDamage()
        }
      }
    }
  }
}
