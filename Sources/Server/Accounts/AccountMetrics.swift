// The metrics of accounts, and their values from statistics.
import Gateway

extension Metric {
  static let resumes = Metric("madang_resumes_total", "Sessions that were to be resumed, by what came of it.")

  /// The metrics of accounts.
  static let ofAccounts: [Metric] = [
    .resumes
  ]
}

extension MetricsCollector {
  mutating func take(_ accounts: AccountStatistics) {
    for outcome in ResumeOutcome.allCases { count(.resumes, accounts.resumes[outcome], ("outcome", outcome.name)) }
  }
}
