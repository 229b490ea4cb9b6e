// The places of players: every connected player's place, and the shard of every group of players.
//
// Guarded by a lock that is held for a few dictionary steps. Used when a player connects, says hello, enters, leaves or
// taps, never on the path of a position. It holds no connections, only their places. An answer may be out of date when
// the named shard looks, so that shard checks numbers and its own groups again. The store knows the players themselves.
// A feature decides what its groups are: a room is one, with its code as the id.
// Decisions: 009, 020, 021, 030 (docs/decisions).
import Game
import Locks
import MadangProtocol
import Net
import Store

package final class Directory: Sendable {
  /// The place of a player who is connected or in a group; only the store knows all others.
  ///
  /// An object of its own: a table of this width would be half empty on average. Tens of thousands may be idle, so each
  /// byte here counts that often.
  fileprivate final class PlayerEntry {
    let id: PlayerID
    var group: UInt64?
    var connection: ConnectionPlace?

    init(_ id: PlayerID) {
      self.id = id
    }
  }

  fileprivate struct GroupEntry {
    let shard: Int
    let isListed: Bool
  }

  fileprivate struct State {
    var groups: [UInt64: GroupEntry] = [:]
    var players: [PlayerID: PlayerEntry] = [:]
    /// The number of players with a connection.
    var connectedCount = 0
    /// The players whose new connections are refused.
    var lockedOut: Set<PlayerID> = []
    /// Decisions about connections that may be between two shards, by connection number. Each is kept until it is
    /// carried out, or the connection is gone.
    var removed: Set<UInt64> = []
    var orders: [UInt64: [SessionOrder]] = [:]
    var lastNumber: UInt64 = 0
    /// The moves of groups so far.
    var moves: UInt64 = 0
  }

  private let state = OrderedMutex(.directory, State())

  package init() {}

  // Players.

  /// The number for a connection that has just been opened. It is higher than all before, over restarts too: the time
  /// in microseconds, or the next that is free.
  package func numberConnection(at now: Timestamp) -> UInt64 {
    state.withLock { state in
      state.lastNumber = max(state.lastNumber + 1, UInt64(max(0, now.microseconds)))
      return state.lastNumber
    }
  }

  /// Makes later numbers exceed those of connections from before the start, which end at this one.
  package func numberConnections(after last: UInt64) {
    state.withLock { $0.lastNumber = max($0.lastNumber, last) }
  }

  /// Records that the store has found a connection's player. The newest connection wins, in whatever order the store
  /// and the shards process their requests. An older one may be dead without anybody knowing yet.
  package func recognize(_ player: PlayerID, _ place: ConnectionPlace) -> Recognition {
    state.withLock { state in
      guard !state.lockedOut.contains(player) else { return .lockedOut }
      let entry = state.entry(of: player)
      let older = entry.connection
      if let older, older.number > place.number { return .replaced }
      if older == nil { state.connectedCount += 1 }
      entry.connection = place
      return .current(state.group(of: entry), replaced: older)
    }
  }

  /// Records that the player's connection is on this shard now, unless another has replaced it.
  package func confirmArrival(of player: PlayerID, at place: ConnectionPlace) -> Ownership {
    state.withLock { state in
      guard let entry = state.current(player, number: place.number) else { return state.formerOwnership(place.number) }
      entry.connection = place
      return .current
    }
  }

  /// The current relation of a connection to the player it was recognized as. Once it is not current it never is again.
  package func ownership(of player: PlayerID, number: UInt64) -> Ownership {
    state.withLock { $0.current(player, number: number) == nil ? $0.formerOwnership(number) : .current }
  }

  /// Records that the player's connection `number` is gone.
  package func disconnect(_ player: PlayerID, number: UInt64) {
    state.withLock { state in
      state.removed.remove(number)
      state.orders[number] = nil
      guard let entry = state.current(player, number: number) else { return }
      state.disconnect(entry)
      state.forgetAbsent(entry)
    }
  }

  /// Locks a player out: until `endLockout` no connection but this one, `number`, is recognized. False when a newer
  /// connection has taken its place.
  package func lockOut(_ player: PlayerID, except number: UInt64) -> Bool {
    state.withLock { state in
      guard state.current(player, number: number) != nil else { return false }
      state.lockedOut.insert(player)
      return true
    }
  }

  package func endLockout(of player: PlayerID) {
    state.withLock { _ = $0.lockedOut.remove(player) }
  }

  // Orders from elsewhere.

  /// The shard of a player's group, or of their connection; nil for a player with neither.
  package func shard(of player: PlayerID) -> Int? {
    state.withLock { state in
      guard let entry = state.players[player] else { return nil }
      return state.group(of: entry)?.shard ?? entry.connection?.shard
    }
  }

  /// Takes a player's connection from them, for good. Call it on the shard of the player's group.
  package func remove(_ player: PlayerID, onShard shard: Int) -> Removal {
    state.withLock { state in
      guard let entry = state.players[player] else { return .nowhere }
      let group = state.group(of: entry)
      if let group, group.shard != shard { return .elsewhere(shard: group.shard) }
      let connection = entry.connection
      if let connection { state.removed.insert(connection.number) }
      state.disconnect(entry)
      state.forgetAbsent(entry)
      return .removed(fromGroup: group?.id, connection)
    }
  }

  /// Keeps an order for the session of the player's connection.
  ///
  /// - Returns: the connection's last known place; nil for a player with none, and the order is not kept.
  package func keep(_ order: @escaping SessionOrder, for player: PlayerID) -> ConnectionPlace? {
    state.withLock { state in
      guard let place = state.players[player]?.connection else { return nil }
      state.orders[place.number, default: []].append(order)
      return place
    }
  }

  /// Takes out the orders that wait for a connection, oldest first.
  func takeOrders(ofConnection number: UInt64) -> [SessionOrder] {
    state.withLock { $0.orders.removeValue(forKey: number) ?? [] }
  }

  // Groups.

  /// Registers a group from before the start of the server, with its members.
  package func restore(_ group: PlayerGroup, isListed: Bool, members: [PlayerID]) {
    state.withLock { state in
      state.groups[group.id] = GroupEntry(shard: group.shard, isListed: isListed)
      for player in members { state.entry(of: player).group = group.id }
    }
  }

  /// Registers a new group; false when its id is taken. Players find a listed group by its id.
  package func add(_ group: PlayerGroup, isListed: Bool) -> Bool {
    state.withLock { state in
      guard state.groups[group.id] == nil else { return false }
      state.groups[group.id] = GroupEntry(shard: group.shard, isListed: isListed)
      return true
    }
  }

  package func removeGroup(_ id: UInt64) {
    state.withLock { $0.groups[id] = nil }
  }

  /// Records that a group has moved to this shard. Call it when everything of the group has been posted there, so that
  /// whoever is told of the new shard comes behind it. A group that has ended there meanwhile stays removed.
  package func move(_ group: PlayerGroup) {
    state.withLock { state in
      state.moves += 1
      guard let known = state.groups[group.id] else { return }
      state.groups[group.id] = GroupEntry(shard: group.shard, isListed: known.isListed)
    }
  }

  /// The number of moves of groups so far. A search of all shards that finds nothing may have missed a group that moved
  /// meanwhile: it has when this number is another.
  package var moves: UInt64 { state.withLock { $0.moves } }

  /// The group of a player; nil for a player in none.
  package func group(of player: PlayerID) -> UInt64? {
    state.withLock { $0.players[player]?.group }
  }

  /// The shard of a group, listed or not; nil for one that is not registered.
  package func shard(ofGroup id: UInt64) -> Int? {
    state.withLock { $0.groups[id]?.shard }
  }

  /// The listed group with this id.
  package func listedGroup(_ id: UInt64) -> PlayerGroup? {
    state.withLock { state in
      state.groups[id].flatMap { $0.isListed ? PlayerGroup(id: id, shard: $0.shard) : nil }
    }
  }

  /// Whether two players are in one group.
  package func isGroupShared(by player: PlayerID, and other: PlayerID) -> Bool {
    state.withLock { state in
      guard let group = state.players[player]?.group else { return false }
      return state.players[other]?.group == group
    }
  }

  /// Records that the player is about to enter this group, unless their connection was replaced or removed.
  package func enter(_ player: PlayerID, number: UInt64, _ group: PlayerGroup) -> Ownership {
    state.withLock { state in
      guard let entry = state.current(player, number: number) else { return state.formerOwnership(number) }
      entry.group = group.id
      return .current
    }
  }

  /// Records that the player has left this group.
  package func leave(_ player: PlayerID, _ group: PlayerGroup) {
    state.withLock { state in
      guard let entry = state.players[player], entry.group == group.id else { return }
      entry.group = nil
      state.forgetAbsent(entry)
    }
  }

  /// The number of connections with a decision that waits for them.
  package var waitingOrders: Int {
    state.withLock { $0.removed.count + $0.orders.count }
  }

  /// The number of connected players, in a group or not.
  package var connectedCount: Int {
    state.withLock { $0.connectedCount }
  }

  /// The numbers of groups and players.
  package var counts: (groups: Int, players: Int) {
    state.withLock { ($0.groups.count, $0.players.count) }
  }
}

extension Directory.State {
  fileprivate mutating func entry(of player: PlayerID) -> Directory.PlayerEntry {
    if let known = players[player] { return known }
    let entry = Directory.PlayerEntry(player)
    players[player] = entry
    return entry
  }

  fileprivate func group(of entry: Directory.PlayerEntry) -> PlayerGroup? {
    entry.group.flatMap { id in groups[id].map { PlayerGroup(id: id, shard: $0.shard) } }
  }

  /// The player's entry, if this connection is the current one.
  fileprivate func current(_ player: PlayerID, number: UInt64) -> Directory.PlayerEntry? {
    players[player].flatMap { $0.connection?.number == number ? $0 : nil }
  }

  /// The fate of a connection that was its player's.
  fileprivate func formerOwnership(_ number: UInt64) -> Ownership {
    removed.contains(number) ? .removed : .replaced
  }

  fileprivate mutating func disconnect(_ entry: Directory.PlayerEntry) {
    if entry.connection != nil { connectedCount -= 1 }
    entry.connection = nil
  }

  fileprivate mutating func forgetAbsent(_ entry: Directory.PlayerEntry) {
    if entry.group == nil, entry.connection == nil { players[entry.id] = nil }
  }
}
