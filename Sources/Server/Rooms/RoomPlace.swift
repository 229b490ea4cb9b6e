// The place of a room: its code and its shard. In the gateway's directory a room is a group of players, with the bits
// of its code as the id.
//
// Values; the directory guards itself.
import Gateway
import MadangProtocol
import Net

package struct RoomPlace: Sendable, Hashable {
  package let code: RoomCode
  package let shard: Int

  package init(code: RoomCode, shard: Int) {
    self.code = code
    self.shard = shard
  }

  init(_ group: PlayerGroup) {
    self.init(code: RoomCode(drawing: group.id), shard: group.shard)
  }

  var group: PlayerGroup { PlayerGroup(id: code.bits, shard: shard) }
}

extension Directory {
  /// Registers a new room under an unused code, which is drawn.
  func addRoom(shard: Int, isSolo: Bool, random: RandomSource) -> RoomPlace {
    while true {
      let place = RoomPlace(code: RoomCode(drawing: UInt64(drawnBy: random)), shard: shard)
      if add(place.group, isListed: !isSolo) { return place }
    }
  }

  /// The room of a code that a client names; nil for solo rooms, which stay secret.
  func openRoom(_ code: RoomCode) -> RoomPlace? {
    listedGroup(code.bits).map(RoomPlace.init)
  }
}
