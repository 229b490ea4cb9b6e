// The rules of badges: the results that count as records, and the number of records that earns each badge. Pure; the
// store knows which badges a player already has.

/// The badge that a record earns.
package enum BadgeRules {
  /// The badges 0 to 6, each by its number of counting records.
  package static let thresholds = [1, 3, 5, 10, 20, 30, 50]

  /// An uncompleted run counts as a record if it takes at least this long …
  static let uncompletedTimeMin = Duration.seconds(60)
  /// … and covers at least this distance.
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
