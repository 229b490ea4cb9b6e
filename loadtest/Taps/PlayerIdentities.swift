// The identities with which a run's bots say hello. A run with the same name and numbers has the same players again.
//
// A value.

package struct PlayerIdentities: Sendable {
  /// A name that makes these players different from those of other runs.
  package let name: String
  /// The number of the first bot's player, and the step to each next one.
  package let first: Int
  package let step: Int

  package init(name: String, first: Int = 0, step: Int = 1) {
    self.name = name
    self.first = first
    self.step = step
  }

  package func number(of index: Int) -> Int { first + index * step }

  /// The device secret with which the player of bot `index` says hello.
  package func deviceSecret(of index: Int) -> String { "loadtest-\(name)-\(number(of: index))" }
}
