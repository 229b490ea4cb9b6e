// Fixes that a phone has kept, and told in one message. A plain value, untrusted like each of its fixes.

/// Some of a phone's kept fixes.
package struct FixBatch: Hashable, Sendable {
  /// In the order in which the phone told them.
  package var fixes: [Fix]
  /// The time since which the connection that brought them has answered: it can have brought younger fixes before.
  package var aliveSince: Instant
  /// Whether the phone has more of them. Behind the others, so that an input is no larger than without this one.
  package var hasMore: Bool

  /// The greatest number of fixes in a journal's record; a message of the wire has fewer.
  package static let countMax = 2_048

  package init(_ fixes: [Fix], hasMore: Bool, aliveSince: Instant) {
    self.fixes = fixes
    self.hasMore = hasMore
    self.aliveSince = aliveSince
  }
}
