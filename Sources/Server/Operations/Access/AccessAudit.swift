// Rows of the audit log for changes of who may come in, which lie in files and not in the store.
//
// Any thread; the commit is the first shard's, like other acts'.
import Game
import Gateway
import Net
import Store

/// The audit log's rows of changes that are in no table of the store.
struct AccessAudit: Sendable {
  let server: GameServer

  /// Writes a row of the audit log that has no other change. `completion` is called on a shard's queue, with the reason
  /// why nothing was written, or nil.
  func record(
    _ act: String,
    _ detail: String,
    by name: String,
    from address: IPAddress,
    because reason: String = "",
    completion: @escaping @Sendable (String?) -> Void
  ) {
    server.services[0].post { service in
      guard !service.gateway.core.isStopped, service.gateway.canPromise else {
        return completion("nothing can be committed")
      }
      let entry = AuditEntry(
        at: service.gateway.now,
        address: "\(address)",
        operator: name,
        action: act,
        detail: detail,
        reason: reason
      )
      service.gateway.journal.add(entry) { outcome in
        completion(outcome == .ok ? nil : "the store is damaged there: see madang check")
      }
    }
  }
}
