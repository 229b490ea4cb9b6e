// What comes of a change that has nothing to tell. A plain value, which several families of changes share.

/// What came of a change that is done wherever what is stored is whole.
package enum WriteOutcome: Hashable, Sendable {
  case ok
  /// What is stored is damaged there, so it can't be done; all other changes of the batch are.
  case unavailable
}
