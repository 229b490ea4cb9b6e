// The shards of rooms, as a run has seen them: each room is on one, to which the directory sends its players.
//
// A value of one world.
import MadangProtocol

struct RoomHomes {
  private var known: [RoomCode: Int] = [:]

  /// The shard of a room; nil for one that is not known.
  subscript(code: RoomCode) -> Int? { known[code] }

  /// Checks that each room of a server is on one shard, which the directory names.
  ///
  /// - Returns: the number of rooms that have moved since the check before.
  mutating func check(_ server: SimulatedServer) throws(BrokenRule) -> Int {
    var present: [RoomCode: Int] = [:]
    var moved = 0
    for (code, home) in server.homes {
      let isOne = home.shards.count == 1 && home.shards.first == home.named
      try BrokenRule.unless(isOne, .oneHome, "\(code) on \(home.shards), not \(home.named.map { "\($0)" } ?? "any")")
      present[code] = home.named
      if let before = known[code], before != home.named { moved += 1 }
    }
    let count = server.counts.rooms
    try BrokenRule.unless(present.count == count, .oneHome, "\(present.count) of \(count) rooms are on a shard")
    known = present
    return moved
  }
}
