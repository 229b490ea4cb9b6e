// The presences of all players who watch places, or did so lately. Every shard shares it.
//
// Any thread; guarded by locks, each for a part of the players. A presence belongs to the player and not to a
// connection: a new session goes on with the fixes of the one before. Of two connections of a player the newer one has
// it. Nothing of it is stored: after a restart of the server each player begins anew.
// Decisions: 110, 136 (docs/decisions).
import Game
import Locks

final class Presences: Sendable {
  /// A class, so that a presence is changed where it lies. Guarded by the lock of its part.
  private final class Entry {
    var presence = Presence()
    /// The fences of stays whose beginning webhooks were not told of.
    var untold: Set<FenceID> = []
    /// The number of the newest connection that has watched.
    var connection: UInt64 = 0
    /// Whether that connection watches still.
    var isWatched = false
    /// The time of the newest fix, of the end of the watch, or of the newest word of a room.
    var usedAt: Instant

    init(usedAt: Instant) {
      self.usedAt = usedAt
    }

    func isWatched(by connection: UInt64) -> Bool { isWatched && self.connection == connection }
  }

  private struct Part {
    var entries: [PlayerID: Entry] = [:]
    /// The number of those that nobody watches.
    var restingCount = 0
  }

  /// A part of the players, with its own lock.
  private final class Guarded: Sendable {
    let part = OrderedMutex(.leaf, Part())
  }

  /// The time for which a presence is kept behind its last fix. A player may be anywhere in reach of the rules then.
  static let kept = Duration.milliseconds(Presence.memoryMs)
  private static let partCount = 16

  private let parts = (0..<partCount).map { _ in Guarded() }
  /// The most presences that nobody watches, in each part.
  private let restingMax: Int

  init(restingMax: Int = 65_536) {
    self.restingMax = restingMax / Self.partCount
  }

  private func part(of player: PlayerID) -> Guarded {
    parts[Int(truncatingIfNeeded: player.value) & (Self.partCount - 1)]
  }

  /// Begins or goes on with a player's presence, for a connection that watches from now on.
  ///
  /// - Returns: the answer of `body`; nil where a newer connection watches.
  func begin<Answer>(
    _ player: PlayerID,
    by connection: UInt64,
    at now: Instant,
    _ body: (inout Presence) -> Answer
  ) -> Answer? {
    part(of: player).part.withLock { part -> Answer? in
      let entry = part.entries[player] ?? Entry(usedAt: now)
      guard entry.connection <= connection else { return nil }
      if !entry.isWatched, part.entries[player] != nil {
        part.restingCount -= 1
        if now >= entry.usedAt + Self.kept { (entry.presence, entry.untold) = (Presence(), []) }
      }
      part.entries[player] = entry
      entry.connection = connection
      entry.isWatched = true
      entry.usedAt = now
      return body(&entry.presence)
    }
  }

  /// Changes a player's presence for the connection that watches; nil where another one does, or none.
  func change<Answer>(
    _ player: PlayerID,
    by connection: UInt64,
    at now: Instant,
    _ body: (inout Presence) -> Answer
  ) -> Answer? {
    part(of: player).part.withLock { part -> Answer? in
      guard let entry = part.entries[player], entry.isWatched(by: connection) else { return nil }
      entry.usedAt = now
      return body(&entry.presence)
    }
  }

  /// Ends a connection's watch. The presence rests, unless another connection has it.
  func end(_ player: PlayerID, by connection: UInt64, at now: Instant) {
    part(of: player).part.withLock { part in
      guard let entry = part.entries[player], entry.isWatched(by: connection) else { return }
      guard !entry.presence.isAsMade else {
        part.entries[player] = nil
        return
      }
      entry.presence.rest()
      entry.isWatched = false
      entry.usedAt = now
      rest(in: &part)
    }
  }

  /// Changes the presence of a player whom nobody watches; does nothing for another.
  func changeResting(_ player: PlayerID, at now: Instant, _ body: (inout Presence) -> Void) {
    part(of: player).part.withLock { part in
      if let entry = part.entries[player] {
        guard !entry.isWatched else { return }
        if now >= entry.usedAt + Self.kept { (entry.presence, entry.untold) = (Presence(), []) }
        entry.usedAt = now
        return body(&entry.presence)
      }
      let entry = Entry(usedAt: now)
      body(&entry.presence)
      guard !entry.presence.isAsMade else { return }
      part.entries[player] = entry
      rest(in: &part)
    }
  }

  /// Counts one more presence that nobody watches. Beyond the bound the oldest are forgotten.
  private func rest(in part: inout Part) {
    part.restingCount += 1
    guard part.restingCount > restingMax else { return }
    // A tenth at once, so that the next ends need not look for the oldest.
    let resting = part.entries.filter { !$0.value.isWatched }.sorted { $0.value.usedAt < $1.value.usedAt }
    for (player, _) in resting.prefix(1 + restingMax / 10) { part.entries[player] = nil }
    part.restingCount -= min(resting.count, 1 + restingMax / 10)
  }

  // What webhooks are told.

  /// Notes that webhooks are not told of the beginning of a player's stay.
  func leaveUntold(_ fence: FenceID, of player: PlayerID) {
    part(of: player).part.withLock { _ = $0.entries[player]?.untold.insert(fence) }
  }

  /// Whether webhooks were not told of the beginning of the stay that an event belongs to; forgets it with its end.
  func isUntold(_ event: FenceEvent, of player: PlayerID) -> Bool {
    part(of: player).part.withLock { part in
      guard let entry = part.entries[player], entry.untold.contains(event.fence) else { return false }
      if event.kind != .dwelled { entry.untold.remove(event.fence) }
      return event.kind != .entered
    }
  }

  /// Forgets a deleted player.
  func erase(_ player: PlayerID) {
    part(of: player).part.withLock { part in
      if let entry = part.entries.removeValue(forKey: player), !entry.isWatched { part.restingCount -= 1 }
    }
  }

  /// Forgets the presences that nobody has watched for a while.
  func sweep(at now: Instant) {
    for guarded in parts {
      guarded.part.withLock { part in
        guard part.restingCount > 0 else { return }
        part.entries = part.entries.filter { $0.value.isWatched || now < $0.value.usedAt + Self.kept }
        part.restingCount = part.entries.count { !$0.value.isWatched }
      }
    }
  }

  /// A player whose positions are not believed outside of rooms.
  struct Suspect: Sendable {
    let player: PlayerID
    /// The time of the newest fix, or of the end of the watch.
    let usedAt: Instant
  }

  /// Players who are suspect, up to `limit` of them, those with the newest fixes first.
  func suspects(at now: Instant, limit: Int) -> [Suspect] {
    var suspects: [Suspect] = []
    for guarded in parts {
      suspects += guarded.part.withLock { part in
        part.entries.compactMap { player, entry in
          let isKnown = entry.isWatched || now < entry.usedAt + Self.kept
          return isKnown && entry.presence.isSuspect ? Suspect(player: player, usedAt: entry.usedAt) : nil
        }
      }
    }
    suspects.sort { ($1.usedAt, $0.player) < ($0.usedAt, $1.player) }
    return Array(suspects.prefix(limit))
  }

  /// The number of players who watch and whose newest fix is believed and lies inside a fence.
  func countInside(_ shape: FenceShape, at now: Instant) -> Int {
    parts.reduce(0) { count, guarded in
      // The places are taken under the lock, and measured behind it: a polygon may have a thousand corners.
      let places = guarded.part.withLock { part in
        part.entries.values.compactMap { $0.isWatched ? $0.presence.place(at: now, ageMaxMs: Presence.memoryMs) : nil }
      }
      return count + places.count { shape.depthMm(of: $0) >= 0 }
    }
  }

  /// The number of presences: of those that are watched, and of those that rest.
  var counts: (watched: Int, resting: Int) {
    parts.reduce(into: (0, 0)) { sum, guarded in
      guarded.part.withLock { part in
        sum.0 += part.entries.count - part.restingCount
        sum.1 += part.restingCount
      }
    }
  }
}
