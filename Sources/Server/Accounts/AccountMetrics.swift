// The metrics of accounts, and their values from statistics.
import Gateway

extension Metric {
  static let resumes = Metric("madang_resumes_total", "Sessions that were to be resumed, by what came of it.")

  /// The metrics of accounts.
  static let ofAccounts: [Metric] = [
    .resumes
  ]
}

extension AccountStatistics {
  package func set(in collector: inout MetricsCollector) {
    for outcome in ResumeOutcome.allCases {
      collector.count(.resumes, resumes[outcome], ("outcome", outcome.name))
    }
  }
}
