// The reasons for which players report things. Plain values.

/// A reason for a report. The raw value is stored, as the number of a bit.
package enum ReportReason: Int, CaseIterable, Sendable {
  case spam, harassment, hate, sexual, violence, falseInformation, privacy, copyright, other

  /// The word of the wire, which operators see too.
  package var name: String {
    switch self {
    case .spam: "SPAM"
    case .harassment: "HARASSMENT"
    case .hate: "HATE"
    case .sexual: "SEXUAL"
    case .violence: "VIOLENCE"
    case .falseInformation: "FALSE_INFORMATION"
    case .privacy: "PRIVACY"
    case .copyright: "COPYRIGHT"
    case .other: "OTHER"
    }
  }
}

/// The reasons of one report.
package struct ReportReasons: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  package init(_ reasons: [ReportReason]) {
    rawValue = reasons.reduce(0) { $0 | 1 << $1.rawValue }
  }

  /// The reasons in their order.
  package var all: [ReportReason] { ReportReason.allCases.filter { rawValue & 1 << $0.rawValue != 0 } }
}
