// Counts of one shard's travel plans since it began, and their metric. A value; others get copies.
import Gateway

package struct PlanStatistics: FeatureStatistics {
  /// The acts of players on plans.
  package enum Act: Int, CaseIterable, Sendable {
    case write, edit, delete, takeOver

    /// The value of the metric's label.
    var name: String {
      switch self {
      case .write: "WRITE"
      case .edit: "EDIT"
      case .delete: "DELETE"
      case .takeOver: "TAKE_OVER"
      }
    }
  }

  /// Acts that have changed something; edits are those of stops too.
  package internal(set) var acts = Counts<Act>()
  /// Edits that were refused because they named another version.
  package internal(set) var staleEdits = 0

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.acts = left.acts + right.acts
    sum.staleEdits += right.staleEdits
    return sum
  }
}

extension PlayStatistics {
  package var plans: PlanStatistics { features[PlanStatistics.self] }
}

extension Metric {
  static let planActs = Metric("madang_plan_acts_total", "What players did to travel plans, by kind.")
  static let stalePlanEdits = Metric(
    "madang_plan_stale_edits_total",
    "Edits of another version of a plan than there was."
  )

  /// The metrics of plans.
  static let ofPlans: [Metric] = [.planActs, .stalePlanEdits]
}

extension PlanStatistics {
  package func set(in collector: inout MetricsCollector) {
    for act in Act.allCases { collector.count(.planActs, acts[act], ("act", act.name)) }
    collector.count(.stalePlanEdits, staleEdits)
  }
}
