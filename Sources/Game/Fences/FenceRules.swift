// The numbers of the rules of fences, in one place, and the two lines at which a fix says something. Pure.
// Decisions: 109 (docs/decisions).

/// The numbers of the rules of fences.
package enum FenceRules {
  package static let dwellRangeS: ClosedRange<Int64> = 1...86_400
  /// Of a polygon.
  package static let cornersRange = 3...1_000
  /// The greatest size of the encoded form, 64 KiB. The text of one fence in a list has no more either.
  package static let bytesMax = 65_536

  /// A better accuracy counts as this one.
  static let accuracyMinM: Int64 = 3
  /// The lines for entering and for leaving lie this many accuracies apart, and the margin.
  static let gapAccuracies: Int64 = 6
  /// The margin is this, or an eighth of a circle's radius if that is smaller: a quarter of the half depth.
  static let marginMaxMm: Int64 = 10_000
  /// Without a fix for longer than this, nobody is known to dwell.
  package static let silentMaxMs: Int64 = 120_000
  /// A player is in this many fences at most. Others are entered when one is left.
  package static let staysMax = 32
  /// The nearest fences that are watched.
  package static let watchedMax = 256
}

/// The lines at one fence for fixes of one accuracy, as depths inside.
struct FenceLines: Hashable, Sendable {
  /// A fix this deep or deeper says inside. The whole circle of accuracy is inside then, as far as the fence has room.
  let insideMm: Int64
  /// A fix this deep or deeper decides so alone.
  let surelyInsideMm: Int64
  /// A fix at this depth or further outside says outside; always negative.
  let outsideMm: Int64
  /// A fix at this depth or further outside decides so alone.
  var surelyOutsideMm: Int64 { 2 * outsideMm }

  init(halfDepthMm: Int64, accuracyM: UInt32) {
    let accuracyMm = 1_000 * max(Int64(accuracyM), FenceRules.accuracyMinM)
    insideMm = min(accuracyMm, halfDepthMm)
    surelyInsideMm = 2 * accuracyMm
    outsideMm = insideMm - FenceRules.gapAccuracies * accuracyMm - min(FenceRules.marginMaxMm, halfDepthMm / 4)
  }

  /// The lines of the best accuracy, which lie closest to the edge. Fixes between them say nothing, whatever theirs is.
  init(closestWithHalfDepthMm halfDepthMm: Int64) {
    self.init(halfDepthMm: halfDepthMm, accuracyM: 0)
  }
}
