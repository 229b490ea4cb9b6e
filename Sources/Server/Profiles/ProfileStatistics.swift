// Counts of what players have earned by one shard's commits since it began, and their metrics. A value; others get
// copies.
import Gateway
import Store

package struct ProfileStatistics: FeatureStatistics {
  /// Collectibles that were awarded.
  package private(set) var collectibles = 0
  /// Changes of players' grades, up or down.
  package private(set) var gradeChanges = 0

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.collectibles += right.collectibles
    sum.gradeChanges += right.gradeChanges
    return sum
  }

  mutating func note(_ news: ProgressNews) {
    switch news {
    case .collectible: collectibles += 1
    case .grade: gradeChanges += 1
    }
  }
}

extension PlayStatistics {
  package var profiles: ProfileStatistics { features[ProfileStatistics.self] }
}

extension Metric {
  static let collectibles = Metric("madang_collectibles_total", "Collectibles that players have won.")
  static let gradeChanges = Metric("madang_grade_changes_total", "Changes of players' grades.")

  /// The metrics of profiles.
  static let ofProfiles: [Metric] = [.collectibles, .gradeChanges]
}

extension ProfileStatistics {
  package func set(in collector: inout MetricsCollector) {
    collector.count(.collectibles, collectibles)
    collector.count(.gradeChanges, gradeChanges)
  }
}
