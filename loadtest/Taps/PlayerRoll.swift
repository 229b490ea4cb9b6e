// Who a run's bots are to the server: the same again for the same name and number.
//
// A value.

package struct PlayerRoll: Sendable {
  /// What makes these players others than those of other runs.
  package let name: String
  /// The number of the first bot's player, and how much further that of each next one is.
  package let first: Int
  package let step: Int

  package init(name: String, first: Int = 0, step: Int = 1) {
    self.name = name
    self.first = first
    self.step = step
  }

  package func number(of index: Int) -> Int { first + index * step }

  /// What the player of bot `index` says hello with.
  package func deviceSecret(of index: Int) -> String { "loadtest-\(name)-\(number(of: index))" }
}
