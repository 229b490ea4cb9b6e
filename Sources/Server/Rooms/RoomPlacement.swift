// The choice of a shard: for a new room and for a lobby whose game is about to start, by the shards' loads and the
// loads that were promised to them lately; for restored rooms, by their members. Pure.
//
// A new room's load comes with its game, so the rooms that a shard was given lately count as load already. A room may
// change its shard between two games, never within one.
// Decisions: 103, 129 (docs/decisions).
import Net

package enum RoomPlacement {
  /// The difference of two loads from which a new room is made on the other shard: a connection does not move for less.
  private static let differenceMin = 0.2
  /// The same difference of promised loads: a burst of rooms goes to shards of equal load in turn, a few at a time.
  private static let promisedDifferenceMin = 0.004
  /// The load from which a shard's lobbies move before their games begin.
  private static let fullMin = 0.8
  /// The difference of two loads from which a lobby moves: more than for a new room, since all its players move.
  private static let moveDifferenceMin = 0.3
  /// The load of a player in a game: what the ticks and ten positions a second of one take at most.
  package static let shareOfPlayer = 0.00025

  /// Chooses the shard for a new room.
  ///
  /// - Parameters:
  ///   - own: The shard of the creator's connection.
  ///   - loads: The load of each shard; not empty.
  ///   - promised: The load that was promised to each shard lately.
  /// - Returns: the shard; nil where every shard is overloaded.
  package static func shard(own: Int, loads: [PublishedLoad.Reading], promised: [Double]) -> Int? {
    let expected = loads.indices.map { loads[$0].share + promised[$0] }
    let free = loads.indices.filter { !loads[$0].isOverloaded }
    guard let least = free.min(by: { expected[$0] < expected[$1] }) else { return nil }
    guard !loads[own].isOverloaded else { return least }
    let difference = expected[own] - expected[least]
    let isNext = difference > 0 && promised[own] - promised[least] >= promisedDifferenceMin
    return difference >= differenceMin || isNext ? least : own
  }

  /// Spreads restored rooms: their players come back within seconds, before any load can be measured. Large rooms come
  /// first, each to the shard with the least so far. A room counts as one member more, for its own ticks.
  ///
  /// - Parameters:
  ///   - memberCounts: The number of members of each room.
  ///   - shardCount: The number of shards, at least 1.
  /// - Returns: the shard of each room.
  package static func spread(memberCounts: [Int], over shardCount: Int) -> [Int] {
    precondition(shardCount > 0, "a server has a shard")
    var counts = Array(repeating: 0, count: shardCount)
    var shards = Array(repeating: 0, count: memberCounts.count)
    for index in memberCounts.indices.sorted(by: { (memberCounts[$1], $0) < (memberCounts[$0], $1) }) {
      guard let least = counts.indices.min(by: { counts[$0] < counts[$1] }) else { break }
      shards[index] = least
      counts[least] += memberCounts[index] + 1
    }
    return shards
  }

  /// Whether a shard has so much to do that its lobbies should move.
  package static func isFull(_ load: PublishedLoad.Reading) -> Bool { load.isOverloaded || load.share >= fullMin }

  /// Chooses the shard to which a lobby moves before its game.
  ///
  /// - Parameters:
  ///   - own: The room's shard.
  ///   - loads: The load of each shard.
  ///   - promised: The load that was promised to each shard lately.
  ///   - share: The load of the game.
  /// - Returns: the shard; nil where the room stays.
  package static func destination(
    own: Int,
    loads: [PublishedLoad.Reading],
    promised: [Double],
    share: Double
  ) -> Int? {
    guard isFull(loads[own]) else { return nil }
    let expected = loads.indices.map { loads[$0].share + promised[$0] }
    let others = loads.indices.filter { $0 != own && !isFull(loads[$0]) && expected[$0] + share < fullMin }
    guard let least = others.min(by: { expected[$0] < expected[$1] }) else { return nil }
    return loads[own].share - expected[least] >= moveDifferenceMin ? least : nil
  }
}
