// The tally of school taps. Part of the contract. It is written by `Batch.tally`; only the tally knows the meaning of
// rows and records.
import Game

/// Taps. Calls with a completion return at once, on any thread; the others block.
package protocol TapStore: Sendable {
  /// The stored counts of a player, by the tally's number, in a season, by schools' numbers. Newer records may differ.
  /// `.corrupt` where rows of the tally are no longer written.
  func tapCounts(ofPlayer number: UInt32, season: UInt32, _ completion: @escaping Completion<[TapCountRow]>)

  /// Hands over the data to rebuild the tally, as of one commit. Rows come in pieces of at most 10,000: first all
  /// schools, then all seasons, totals, players, counts. Then the segments come, oldest first. Blocks.
  ///
  /// A segment that is missing between two others, or has no bytes, is handed over as an empty one, which no tally
  /// accepts. Damage ends the call as `.corrupt`, with its part (`StoreFailure.init(_:reading:)`): an unreadable row,
  /// or a row or segment that `rows` or `segments` refuses because no tally can have it. Other errors of theirs end it
  /// as `.other`.
  func tally(rows: (TallyRows) throws -> Void, segments: ([UInt8]) throws -> Void) throws(StoreFailure)

  /// The final ranking of a season by rank, as announced at its closing; nil for a season that has not been closed.
  /// Blocks.
  func finalRanking(of season: UInt32) throws(StoreFailure) -> SeasonClosing?
}
