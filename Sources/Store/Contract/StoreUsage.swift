// How much a store uses of the room that it has. A plain value, for metrics and warnings.

/// What a data folder holds, and what it may hold.
package struct StoreUsage: Hashable, Sendable {
  /// Pages of the database that are in use, and the write-ahead log; bytes. Free pages of the file are not counted: they are
  /// used again before the file grows.
  package var usedBytes: Int
  /// The bound on it: what the operator has set, else what the file system had room for when care asked last; bytes.
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
