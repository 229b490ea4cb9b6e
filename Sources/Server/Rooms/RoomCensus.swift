// The totals of a shard's rooms, updated with each change of a room: a read costs the same with one room and with
// thousands.
//
// A value of the shard, used on its queue.
import Game

struct RoomCensus: Equatable, Sendable {
  /// One room's share.
  struct Entry: Equatable, Sendable {
    let kind: RoomKind
    /// The number of players, held ones included.
    let players: Int
    let suspects: Int
  }

  /// By kind, at the kind's index.
  private(set) var rooms = [Int](repeating: 0, count: RoomKind.all.count)
  private(set) var players = [Int](repeating: 0, count: RoomKind.all.count)
  private(set) var suspects = 0

  /// The number of all rooms.
  var roomCount: Int { rooms.reduce(0, +) }

  /// Whether a game is on in any of them.
  var isAnyPlaying: Bool {
    zip(RoomKind.all, rooms).contains { kind, count in kind.phase == .playing && count > 0 }
  }

  mutating func add(_ entry: Entry) { count(entry, 1) }

  mutating func remove(_ entry: Entry) { count(entry, -1) }

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    for index in sum.rooms.indices {
      sum.rooms[index] += right.rooms[index]
      sum.players[index] += right.players[index]
    }
    sum.suspects += right.suspects
    return sum
  }

  private mutating func count(_ entry: Entry, _ times: Int) {
    let kind = entry.kind.index
    rooms[kind] += times
    players[kind] += times * entry.players
    suspects += times * entry.suspects
    precondition(rooms[kind] >= 0 && players[kind] >= 0 && suspects >= 0, "only a counted room is removed")
  }
}

extension RoomCensus.Entry {
  init(_ room: Room) {
    kind = RoomKind(mode: room.configuration.mode, phase: room.phase)
    players = room.memberCount
    suspects = room.suspectCount
  }
}
