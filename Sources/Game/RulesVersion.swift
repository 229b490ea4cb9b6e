// The version of the rules in this build, which identifies a game's rules. A number alone. It goes up with each change
// of the rules that may change the outcome of the same inputs, and with each change of a room's written state.

/// The version of the rules, written into every journal, so that a replay can tell whether it plays by the same ones.
package enum RulesVersion {
  package static let current: UInt32 = 7
}
