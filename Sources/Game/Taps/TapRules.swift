// The numbers of the school contest. Constants alone; changing one changes the rules for players.

/// The limits of taps.
package enum TapRules {
  /// The most taps of one batch, and of all batches of the last `windowMs` together.
  package static let tapsMax: Int64 = 229
  package static let windowMs: Int64 = 5_000

  /// The most batches in any `batchWindowMs`.
  package static let batchesMax = 5
  package static let batchWindowMs: Int64 = 1_000

  /// This many abnormal batches within `abnormalWindowMs` mark a player as suspect.
  package static let abnormalsMax = 3
  package static let abnormalWindowMs: Int64 = 60_000
}
