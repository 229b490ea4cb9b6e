// The tally of school taps. Part of the contract. It is written by `Batch.tally`; what rows and records mean is the
// tally's to know.
import Game

/// Taps. Calls with a completion return at once, on any thread; the others block.
package protocol TapStore: Sendable {
  /// What a player, by the tally's number, has counted in a season, by schools' numbers, as it is written: newer
  /// records may say more. `.corrupt` where rows of the tally are no longer written.
  func tapCounts(ofPlayer number: UInt32, season: UInt32, _ completion: @escaping Completion<[TapCountRow]>)

  /// Hands over what the tally is made again from, as of one commit. Rows come in pieces of at most 10,000: first all
  /// schools, then all seasons, totals, players, counts. Then the segments come, oldest first. Blocks.
  ///
  /// A segment that is missing between two others, or has no bytes at all, is handed over as an empty one, which no
  /// tally takes. A row that can't be read, and a row or a segment that `rows` or `segments` refuses because no tally
  /// can have it, ends the call as `.corrupt`, with its table (`StoreFailure.init(_:reading:)`). Other errors of theirs
  /// end it as `.other`.
  func tally(rows: (TallyRows) throws -> Void, segments: ([UInt8]) throws -> Void) throws(StoreFailure)

  /// The final ranking of a season as it was told at its closing, by rank; nil for one that has not been closed.
  /// Blocks.
  func finalRanking(of season: UInt32) throws(StoreFailure) -> SeasonClosing?
}
