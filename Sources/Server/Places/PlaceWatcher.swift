// The places' part of a session: whether the player watches places over this connection, and the capsules that the
// client knows it can open.
//
// Owned by the session's shard; it travels with the connection. The presence itself is the player's (`Presences`).
import Game
import Gateway

final class PlaceWatcher: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let told: [UInt64: CapsuleID]
    let awaited: [UInt64: Coordinate]

    func unpacked(for session: Session) -> any SessionPart {
      let watcher = PlaceWatcher()
      watcher.isWatching = true
      watcher.told = told
      watcher.awaited = awaited
      return watcher
    }
  }

  var isWatching = false
  /// The number of watches of the connection on this shard: answers to reads of an earlier one are dropped.
  private(set) var watch = 0
  /// The shard counts it among its watchers.
  var isCounted = false
  /// Messages that wait for the commit of an event at a fence, of which the player is notified behind it.
  var heldMessages = 0
  /// The capsules that the client knows it can open, by their numbers in the watch.
  var told: [UInt64: CapsuleID] = [:]
  /// The places of those that it can open and that are still to be read, by their numbers.
  var awaited: [UInt64: Coordinate] = [:]
  /// A read of the capsules around the player is under way.
  var isReadingNear = false
  /// The player has changed a capsule since that read began: another one follows.
  var isReadStale = false
  /// A read of those that can be opened is under way.
  var isReadingOpenable = false

  var cargo: (any SessionCargo)? { isWatching ? Cargo(told: told, awaited: awaited) : nil }

  /// Begins to watch, from nothing that the client knows.
  func begin() {
    isWatching = true
    watch += 1
    told = [:]
    awaited = [:]
    isReadingNear = false
    isReadStale = false
    isReadingOpenable = false
  }
}

extension Session {
  /// Whether the player watches places over this connection.
  var watchesPlaces: Bool { part(PlaceWatcher.self)?.isWatching ?? false }
}
