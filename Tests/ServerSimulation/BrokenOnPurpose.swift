// Faults of a server that a run plays, to prove that its referees find them. A value.

/// A rule that a run breaks on purpose.
package enum BrokenOnPurpose: Sendable, CaseIterable {
  /// The server takes fixes for others than those that the players have sent; they hear of nothing else.
  case opensFromAfar
  /// Each opening counts twice.
  case countsTwice
  /// Each like counts twice.
  case likesTwice
  /// An acknowledged like does not reach the store.
  case forgetsLikes
  /// News of posts reach nobody.
  case missesNews
  /// An acknowledged edit does not reach the store.
  case forgetsEdits
  /// Each change of a fence is told twice.
  case tellsFencesTwice
  /// Deliveries take one event too many out of the outbox.
  case losesEvents
}
