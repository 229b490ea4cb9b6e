// The fitted figures of a class of receivers. Values; docs/receiver-errors.md tells where they come from.

/// A distribution by its quantiles, with straight lines between them.
package struct Quantiles: Hashable, Sendable {
  private static let levels = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 1]
  private let values: [Double]

  /// The values at 0, 5, 25, 50, 75, 95, 99, 99.9 and 100 %.
  init(_ values: [Int]) {
    precondition(values.count == Self.levels.count, "a table has every level")
    self.values = values.map(Double.init)
  }

  /// The value below which this share of the distribution lies, 0 to 1.
  package func value(at share: Double) -> Double {
    guard let upper = Self.levels.firstIndex(where: { $0 >= share }), upper > 0 else { return values[0] }
    let (low, high) = (Self.levels[upper - 1], Self.levels[upper])
    return values[upper - 1] + (values[upper] - values[upper - 1]) * (share - low) / (high - low)
  }
}

/// The figures of one class. Of figures that are not a distribution it has the number.
package struct ReceiverFigures: Hashable, Sendable {
  let accuracyLevelMm: Quantiles
  let accuracyWithinWalkPermille: Quantiles
  let wanderPermilleOfAxis: Quantiles
  let stepUsualMmPerRootS: Quantiles
  let stepPermilleOfUsual: Quantiles
  let whiteMm: Quantiles
  let jumpsPerMillionFixes: Quantiles
  let jumpMm: Quantiles
  let jumpLastsFixes: Quantiles
  let jumpAccuracyPermilleOfBefore: Quantiles
  let intervalMs: Quantiles
  let gapMs: Quantiles
  let accuracyCorrelationPermille: Int
  let stepBurstPermille: Int
  let stepTurnPermille: Int
  let jumpUndoneAtOncePermille: Int
  let gapsPerMillionFixes: Int
}
