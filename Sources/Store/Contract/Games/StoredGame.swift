// An ended game as the store returns it. A plain value, the same for every back end.
import Game

/// A game that has ended, with its results by rank.
package struct StoredGame: Hashable, Sendable {
  package var row: GameRow
  package var results: [ResultRow]

  package init(row: GameRow, results: [ResultRow]) {
    self.row = row
    self.results = results
  }
}
