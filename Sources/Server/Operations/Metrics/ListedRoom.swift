// A room in a list of rooms: the busiest ones of /stats, and the console's.
//
// A value, made on the shard of the room; its texts are made where it is shown.
import Game
import Gateway
import MadangProtocol

struct ListedRoom: Sendable {
  let code: RoomCode
  /// A solo room admits nobody else, so its code is hidden.
  let isSolo: Bool
  let id: RoomID
  let figures: RoomCensus.Entry
  let shard: Int
  let connected: Int
  let capacity: Int
  let gameNumber: UInt32

  /// The busiest first; equally busy rooms keep an order.
  static func isBusier(_ left: Self, _ right: Self) -> Bool {
    (left.connected, left.figures.players, right.id) > (right.connected, right.figures.players, left.id)
  }
}

extension ListedRoom {
  var json: JSONText {
    .object { json in
      json.member("id", id.description)
      json.member("code", isSolo ? "" : code.description)
      json.member("mode", figures.kind.mode.name)
      json.member("phase", figures.kind.phase.name)
      json.member("shard", shard)
      json.member("players", figures.players)
      json.member("connected", connected)
      json.member("capacity", capacity)
      json.member("game", gameNumber)
      json.member("suspects", figures.suspects)
    }
  }
}
