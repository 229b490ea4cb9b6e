// How much a store uses of the room that it has. A plain value, for metrics and warnings.

/// What a store holds, and what it may hold.
package struct StoreUsage: Hashable, Sendable {
  /// What is in use; bytes. Room that the store has taken, does not use and will use again before it takes more is not
  /// counted.
  package var usedBytes: Int
  /// The bound on it: what the operator has set, else what there was room for when maintenance asked last; bytes.
  package var bytesMax: Int
  /// Whether commits are refused for the operator's bound.
  package var isBoundReached: Bool

  package init(usedBytes: Int, bytesMax: Int, isBoundReached: Bool = false) {
    self.usedBytes = usedBytes
    self.bytesMax = bytesMax
    self.isBoundReached = isBoundReached
  }

  /// From 80 % on an operator should be warned.
  package var isNearBound: Bool { Double(usedBytes) >= 0.8 * Double(bytesMax) }
}
