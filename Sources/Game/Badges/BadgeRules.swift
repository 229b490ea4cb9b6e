// The rules of badges: which results count as records, and how many of them give which badge. Pure; who has had which badge
// already is the store's to know.

/// Which badge a record gives.
package enum BadgeRules {
  /// The badges 0 to 6, by the number of counting records that gives each.
  package static let thresholds = [1, 3, 5, 10, 20, 30, 50]

  /// An uncompleted run counts as a record from this long …
  static let uncompletedTimeMin = Duration.seconds(60)
  /// … and from this far.
  static let uncompletedDistanceMinMm: Int64 = 100_000

  /// The badge that the newest of `count` counting records gives; nil when it gives none.
  package static func badge(forRecords count: Int) -> Int? {
    thresholds.firstIndex(of: count)
  }
}

extension BoardRow {
  /// Whether this result counts towards badges.
  package var counts: Bool {
    completed || time >= BadgeRules.uncompletedTimeMin && distanceMm >= BadgeRules.uncompletedDistanceMinMm
  }
}
