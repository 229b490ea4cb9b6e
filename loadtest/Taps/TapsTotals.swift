// What the bots of a `taps` were told of schools, for whoever holds it against the data.
//
// A value.
import Foundation

struct TapsTotals: Encodable {
  /// By school, what bots were told has counted.
  private let acknowledged: [String: Int64]
  /// The same by player.
  private let players: [String: Int64]
  /// By school, what it has in the end, in the season that runs.
  private let totals: [String: Int64]
  /// How many own counts were found at 0 that had been more.
  private let begunAnew: Int

  init(_ results: TapsResults) {
    acknowledged = results.sums.acknowledged
    players = results.acknowledgedByPlayer
    totals = results.sums.after
    begunAnew = results.begunAnew
  }

  /// As JSON.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }
}
