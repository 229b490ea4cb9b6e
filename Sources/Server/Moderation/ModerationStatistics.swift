// Counts of one shard's reports since it began, and the metrics and budgets of moderation. Values; others get copies.
import Game
import Gateway
import MadangProtocol
import Store

package struct ModerationStatistics: FeatureStatistics {
  /// Reports by the kind of what they are about; repeats don't count.
  package internal(set) var reports = Counts<ReportKind>()
  /// Things that reports have hidden from everybody.
  package internal(set) var hidings = 0

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.reports = left.reports + right.reports
    sum.hidings += right.hidings
    return sum
  }
}

extension PlayStatistics {
  package var moderation: ModerationStatistics { features[ModerationStatistics.self] }
}

extension Metric {
  static let reports = Metric("madang_reports_total", "Reports of players, by the kind of what they are about.")
  static let reportHidings = Metric("madang_report_hidings_total", "Things that reports have hidden from everybody.")
  static let reportsWaiting = Metric(
    "madang_reported_waiting",
    "Reported things that wait for an operator's decision, as of some seconds ago."
  )
  static let reportedHidden = Metric(
    "madang_reported_hidden",
    "Things that reports or operators hide now, as of some seconds ago."
  )

  /// The metrics of moderation.
  static let ofModeration: [Metric] = [.reports, .reportHidings, .reportsWaiting, .reportedHidden]
}

extension ModerationStatistics {
  package func set(in collector: inout MetricsCollector) {
    for kind in ReportKind.allCases { collector.count(.reports, reports[kind], ("kind", kind.name.uppercased())) }
    collector.count(.reportHidings, hidings)
  }
}

extension ModerationCounts {
  func set(in collector: inout MetricsCollector) {
    collector.gauge(.reportsWaiting, Int(waiting))
    collector.gauge(.reportedHidden, Int(hidden))
  }
}

extension Budget {
  static let reports = Budget(
    "REPORTS",
    for: .player,
    .perHour(Limits.reportsPerHour, burst: Limits.reportsPerHour)
  )
  static let reportsOfAddress = Budget(
    "REPORTS",
    for: .address,
    .perHour(Limits.reportsPerHourForAddress, burst: Limits.reportsPerHourForAddress),
    exemptsLoopback: true
  )

  static let ofModeration: [Budget] = [.reports, .reportsOfAddress]
}
