// The schools' counts as the bots of a `taps` received them, for a comparison with the data.
//
// A value.
import Foundation

struct TapsTotals: Encodable {
  /// The acknowledged taps by school.
  private let acknowledged: [String: Int64]
  /// The acknowledged taps by player.
  private let players: [String: Int64]
  /// The final totals by school, in the running season.
  private let totals: [String: Int64]
  /// The number of own counts found at 0 that had been more.
  private let begunAnew: Int

  init(_ results: TapsResults) {
    acknowledged = results.sums.acknowledged
    players = results.acknowledgedByPlayer
    totals = results.sums.after
    begunAnew = results.begunAnew
  }

  /// Writes the totals as JSON.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }
}
