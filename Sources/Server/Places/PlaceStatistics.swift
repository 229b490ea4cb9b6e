// Counts of one shard's places since it began, and their metrics. A value; others get copies.
import Game
import Gateway

package struct PlaceStatistics: FeatureStatistics {
  /// Connections that watch places now.
  var watching = 0
  /// Requests to watch places that were taken.
  var watches = 0
  /// Fixes outside of games, by their verdict.
  var verdicts = Counts<FixVerdict>()
  /// Events of fences that players were told of.
  var fenceEvents = Counts<FenceEvent.Kind>()

  /// Capsules that were buried; openings; and those of players who had not opened the capsule before.
  var capsulesBuried = 0
  var capsulesOpened = 0
  var capsulesFirstOpened = 0

  package init() {}

  /// Counts a fix outside of games.
  mutating func note(_ verdict: FixVerdict) { verdicts[verdict] += 1 }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.watching += right.watching
    sum.watches += right.watches
    sum.verdicts = left.verdicts + right.verdicts
    sum.fenceEvents = left.fenceEvents + right.fenceEvents
    sum.capsulesBuried += right.capsulesBuried
    sum.capsulesOpened += right.capsulesOpened
    sum.capsulesFirstOpened += right.capsulesFirstOpened
    return sum
  }
}

extension PlayStatistics {
  package var places: PlaceStatistics { features[PlaceStatistics.self] }
}

extension Metric {
  static let placeWatchers = Metric("madang_place_watchers", "Connections that watch places now.")
  static let placeWatches = Metric("madang_place_watches_total", "Requests to watch places.")
  static let placeFixes = Metric("madang_place_fixes_total", "Fixes outside of games, by their verdict.")
  static let fenceEvents = Metric("madang_fence_events_total", "Events of fences that players were told of.")

  static let capsulesBuried = Metric("madang_capsules_buried_total", "Capsules that were buried.")
  static let capsulesOpened = Metric(
    "madang_capsules_opened_total",
    "Capsules that were opened, by whether the player had opened them before."
  )

  /// The metrics of places.
  static let ofPlaces: [Metric] = [
    .placeWatchers, .placeWatches, .placeFixes, .fenceEvents, .capsulesBuried, .capsulesOpened,
  ]
}

extension PlaceStatistics {
  package func set(in collector: inout MetricsCollector) {
    collector.gauge(.placeWatchers, watching)
    collector.count(.placeWatches, watches)
    for verdict in FixVerdict.allCases { collector.count(.placeFixes, verdicts[verdict], ("verdict", verdict.name)) }
    collector.count(.capsulesBuried, capsulesBuried)
    collector.count(.capsulesOpened, capsulesFirstOpened, ("first", "true"))
    collector.count(.capsulesOpened, capsulesOpened - capsulesFirstOpened, ("first", "false"))
    for kind in FenceEvent.Kind.allCases { collector.count(.fenceEvents, fenceEvents[kind], ("event", kind.name)) }
  }
}
