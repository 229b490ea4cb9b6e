// The places' part of a session: whether the player watches places over this connection, and the capsules that the
// client knows it can open.
//
// Owned by the session's shard; it travels with the connection. The presence itself is the player's (`Presences`).
import Game
import Gateway
import Store

final class PlaceWatcher: SessionPart {
  static let slot = Session.takeSlot()

  /// A capsule that the client knows it can open.
  struct Told: Sendable {
    // Halves, since a number of 128 bits would fill up each element to 32 bytes.
    private let idHigh: UInt64
    private let idLow: UInt64
    let place: Coordinate

    init(_ id: CapsuleID, at place: Coordinate) {
      idHigh = UInt64(truncatingIfNeeded: id.value >> 64)
      idLow = UInt64(truncatingIfNeeded: id.value)
      self.place = place
    }

    var id: CapsuleID { CapsuleID(UInt128(idHigh) << 64 | UInt128(idLow)) }
    var capsule: NearCapsule { NearCapsule(number: id.number, place: place) }
  }

  struct Cargo: SessionCargo {
    let told: [Told]
    let awaited: [NearCapsule]

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
  /// The capsules that the client knows it can open. They are few, so a list is smaller than a table.
  private var told: [Told] = []
  /// Those that it can open and that are still to be read.
  private var awaited: [NearCapsule] = []
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
    told = []
    awaited = []
    isReadingNear = false
    isReadStale = false
    isReadingOpenable = false
  }

  // What the client knows.

  var awaitsCapsules: Bool { !awaited.isEmpty }

  /// The questions for the capsules that are still to be read.
  func lookups(for player: PlayerID) -> [CapsuleLookup] {
    awaited.map { CapsuleLookup($0, for: player) }
  }

  func wait(for capsule: NearCapsule) {
    if !awaited.contains(capsule) { awaited.append(capsule) }
  }

  func isWaiting(for capsule: NearCapsule) -> Bool { awaited.contains(capsule) }

  /// Ends the wait for a capsule that has been read; false for one that can't be opened any more.
  func endWait(for capsule: NearCapsule) -> Bool {
    guard let index = awaited.firstIndex(of: capsule) else { return false }
    if awaited.count == 1 { awaited = [] } else { awaited.remove(at: index) }
    return true
  }

  /// Notes that the client is told that it can open a capsule, maybe once more.
  func tell(_ id: CapsuleID, at place: Coordinate) {
    told.removeAll { $0.id == id }
    told.append(Told(id, at: place))
  }

  /// Takes out the capsules that the client knew it could open, of those that it can't any more.
  func close(_ capsules: [NearCapsule]) -> [CapsuleID] {
    awaited.removeAll { capsules.contains($0) }
    if awaited.isEmpty { awaited = [] }
    return takeTold { capsules.contains($0.capsule) }
  }

  /// The same for one capsule, wherever it lies.
  func close(_ id: CapsuleID) -> [CapsuleID] {
    takeTold { $0.id == id }
  }

  private func takeTold(where isClosed: (Told) -> Bool) -> [CapsuleID] {
    var closed: [CapsuleID] = []
    told.removeAll { capsule in
      let isClosed = isClosed(capsule)
      if isClosed { closed.append(capsule.id) }
      return isClosed
    }
    if told.isEmpty { told = [] }
    return closed
  }
}

extension Session {
  /// Whether the player watches places over this connection.
  var watchesPlaces: Bool { part(PlaceWatcher.self)?.isWatching ?? false }
}
