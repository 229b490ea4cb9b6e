// The totals of places that all shards share, and their metrics. A value.
import Gateway
import Net
import Store

struct PlaceTotals: Sendable {
  var fences = 0
  /// Presences of players who watch places, and of those who did so lately.
  var watched = 0
  var resting = 0
  /// As the store had them some seconds ago.
  var capsules = CapsuleCounts()
}

extension ServerContext {
  /// The totals of places. Any thread.
  func placeTotals(at now: Timestamp) -> PlaceTotals {
    let presences = presences.counts
    return PlaceTotals(
      fences: fences.catalogue.fences.count,
      watched: presences.watched,
      resting: presences.resting,
      capsules: capsuleTotals.counts(at: now, from: gateway.store)
    )
  }
}

extension Metric {
  static let fences = Metric("madang_fences", "Fences that there are now.")
  static let presencesResting = Metric(
    "madang_presences_resting",
    "Presences of players who have watched places lately and don't now."
  )
  static let capsules = Metric("madang_capsules", "Capsules that are buried now, as of some seconds ago.")
  static let capsuleOpenings = Metric(
    "madang_capsule_openings",
    "Players who have opened the capsules that are buried now, counted for each capsule."
  )
  static let capsuleBytes = Metric(
    "madang_capsule_bytes",
    "Bytes of the titles and texts of the capsules that are buried now."
  )

  static let ofPlaceTotals: [Metric] = [.fences, .presencesResting, .capsules, .capsuleOpenings, .capsuleBytes]
}

extension PlaceTotals {
  func set(in collector: inout MetricsCollector) {
    collector.gauge(.fences, fences)
    collector.gauge(.presencesResting, resting)
    collector.gauge(.capsules, Int(capsules.capsules))
    collector.gauge(.capsuleOpenings, Int(capsules.openings))
    collector.gauge(.capsuleBytes, Int(capsules.bytes))
  }
}
