// Periodic maintenance of the store: journals are folded, and old data is deleted.
//
// Part of the gateway, on the queue of the first shard.
import Net
import Store

extension ShardGateway {
  private static let maintenanceSeconds: Int64 = 5

  /// Maintains the store now and periodically; for one shard of all.
  package func maintain() {
    let (shards, ownShard, context) = (shards, ownShard, context)
    for notification in context.expiry.alerts(at: now) { context.notify(notification) }
    // On an idle server, an otherwise empty commit writes the contributors' changes.
    if context.commits.hasContributions { journal.touch() }
    let time = now
    context.store.maintain(at: context.expiry.now(time), keepJournals: context.configuration.keepJournals) { result in
      for notification in context.expiry.review(at: time) { context.notify(notification) }
      var failure: String?
      switch result {
      case .success(let damaged):
        for segment in damaged { context.notify(.segmentLost(segment)) }
        // Memory still has what the disk has lost.
        if !damaged.isEmpty { shards.postToAll { $0.writeDown() } }
      case .failure(let why):
        failure = "\(why)"
      }
      ownShard.post { [failure] in $0.endMaintenance(with: failure) }
    }
  }

  /// Reports a repeated failure once. It is reported again after a success, or with another reason.
  private func endMaintenance(with failure: String?) {
    if let failure, failure != maintenance.failure { context.notify(.maintenanceFails(failure)) }
    maintenance.failure = failure
    notifyOfRefused()
    reportData()
    _ = core.setTimer(maintenanceTimer, at: core.now.advanced(seconds: Self.maintenanceSeconds))
  }

  /// Reports once that the data folder is nearly full, and again when it had room meanwhile.
  private func reportData() {
    guard let usage = context.store.usage else { return }
    if usage.isNearBound, !maintenance.isDataReported {
      context.notify(.dataNearBound(usedBytes: usage.usedBytes, bytesMax: usage.bytesMax))
    }
    maintenance.isDataReported = usage.isNearBound
  }

  /// Reports refused newcomers; they arrive on the first shard.
  private func notifyOfRefused() {
    let refused = core.counters.connectionsRefused - maintenance.refusedReported
    if refused > 0 { context.notify(.newcomersRefused(refused)) }
    maintenance.refusedReported += refused
  }

  /// Writes the full state down: recovery needs nothing earlier.
  private func writeDown() {
    for feature in features { feature.writeDown() }
  }

  /// Makes the journal's last entries before the server ends.
  package func finishJournal() {
    writeDown()
    context.commits.writeDownContributions()
    journal.touch()
    journal.cut(at: core.now)
  }
}
