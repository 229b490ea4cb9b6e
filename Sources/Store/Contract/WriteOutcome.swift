// The outcome of a change without a result. A plain value, shared by several families of changes.

/// The outcome of a change that always succeeds where the stored data is whole.
package enum WriteOutcome: Hashable, Sendable {
  case ok
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
