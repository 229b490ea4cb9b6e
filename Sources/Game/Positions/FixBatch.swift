// Fixes that a phone has kept, and told in one message. A plain value, untrusted like each of its fixes.

/// The way by which a fix has come.
enum FixOrigin: Sendable {
  /// By itself, as it was taken.
  case live
  /// In a batch, over a connection that has answered since this time; nil when the server itself could not take it
  /// earlier.
  case kept(aliveSince: Instant?)

  var isLive: Bool {
    if case .live = self { true } else { false }
  }
}

/// Some of a phone's kept fixes.
package struct FixBatch: Hashable, Sendable {
  /// In the order in which the phone told them.
  package var fixes: [Fix]
  /// The time since which the connection that brought them has answered: it can have brought younger fixes before. Nil
  /// when the server itself could not take them earlier.
  package var aliveSince: Instant?
  /// Whether the phone has more of them. Behind the others, so that an input is no larger than without this one.
  package var hasMore: Bool

  /// The greatest number of fixes in a journal's record; a message of the wire has fewer.
  package static let countMax = 2_048

  package init(_ fixes: [Fix], hasMore: Bool, aliveSince: Instant?) {
    self.fixes = fixes
    self.hasMore = hasMore
    self.aliveSince = aliveSince
  }
}
