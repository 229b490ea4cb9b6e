// A store's use of its space. A plain value, for metrics and warnings.

/// The space that a store uses, and its bound.
package struct StoreUsage: Hashable, Sendable {
  /// The space in use; bytes. Free space inside the store, which it fills before it grows, is not counted.
  package var usedBytes: Int
  /// The bound: the operator's setting, else the space that maintenance last found available; bytes.
  package var bytesMax: Int
  /// Whether commits are refused because of the operator's bound.
  package var isBoundReached: Bool

  package init(usedBytes: Int, bytesMax: Int, isBoundReached: Bool = false) {
    self.usedBytes = usedBytes
    self.bytesMax = bytesMax
    self.isBoundReached = isBoundReached
  }

  /// Whether an operator should be warned: from 80 % on.
  package var isNearBound: Bool { Double(usedBytes) >= 0.8 * Double(bytesMax) }
}
