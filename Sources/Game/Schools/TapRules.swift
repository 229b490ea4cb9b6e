// The numbers of the school contest. Constants alone; whoever changes one changes what players may do.

/// What a player may tap, and what is too much.
package enum TapRules {
  /// The most that one batch may have, and that all batches of the last `windowMs` may have together.
  package static let tapsMax: Int64 = 229
  package static let windowMs: Int64 = 5_000

  /// The most batches in any `batchWindowMs`.
  package static let batchesMax = 5
  package static let batchWindowMs: Int64 = 1_000

  /// So many abnormal batches within `abnormalWindowMs` mark a player as suspect.
  package static let abnormalsMax = 3
  package static let abnormalWindowMs: Int64 = 60_000
}
