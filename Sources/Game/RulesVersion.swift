// Which edition of the rules this build plays by. A number alone; whoever changes a rule so that the same inputs may come
// out otherwise raises it, and whoever changes how a room's state is written: games are told apart by it.

/// The version of the rules, written into every journal, so that a replay can tell whether it plays by the same ones.
package enum RulesVersion {
  package static let current: UInt32 = 1
}
