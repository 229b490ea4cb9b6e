// The choice of a shard for a new room, by the shards' loads. Pure.
//
// A room stays on its shard. Its creator's connection goes there with the request, and players who join follow.
// Decisions: 103 (docs/decisions).
import Net

package enum RoomPlacement {
  /// The difference of two loads from which a new room is made on the other shard: a connection does not move for less.
  private static let differenceMin = 0.2

  /// Chooses the shard for a new room.
  ///
  /// - Parameters:
  ///   - own: The shard of the creator's connection.
  ///   - loads: The load of each shard; not empty.
  /// - Returns: the shard; nil where every shard is overloaded.
  package static func shard(own: Int, loads: [PublishedLoad.Reading]) -> Int? {
    let free = loads.indices.filter { !loads[$0].isOverloaded }
    guard let least = free.min(by: { loads[$0].share < loads[$1].share }) else { return nil }
    let isOwnFree = !loads[own].isOverloaded
    return isOwnFree && loads[own].share - loads[least].share < differenceMin ? own : least
  }
}
