// Changes of media. Plain values. References to media are written with the change of the capsule or post that has them.
import Game

/// A change of media.
package enum MediaChange: Hashable, Sendable {
  /// Adds a medium, whose blobs are there and held (`BlobStore.putBlobs`). Nothing refers to it yet. Outcome `.added`,
  /// also for one that is known; `.notFound` for an unknown owner, and for another owner's identifier.
  case add(StoredMedia)
}

/// The outcome of such a change.
package enum MediaOutcome: Hashable, Sendable {
  case added
  case notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
