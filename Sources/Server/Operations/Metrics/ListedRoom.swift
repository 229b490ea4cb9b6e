// A room in a list of rooms: the busiest ones of /stats, and the console's.
//
// A value, made on the shard of the room; its texts are made where it is shown.
import ConsoleProtocol
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
  /// Whether its host has locked it for newcomers.
  let isLocked: Bool
  /// Whether its host is asked about each newcomer.
  let asksConsent: Bool

  /// The busiest first; equally busy rooms keep an order.
  static func isBusier(_ left: Self, _ right: Self) -> Bool {
    (left.connected, left.figures.players, right.id) > (right.connected, right.figures.players, left.id)
  }
}

extension ListedRoom {
  var message: FeedListedRoom {
    .with {
      $0.id = id.description
      $0.code = isSolo ? "" : code.description
      $0.mode = figures.kind.mode.name
      $0.phase = figures.kind.phase.name
      $0.shard = Int64(shard)
      $0.players = Int64(figures.players)
      $0.connected = Int64(connected)
      $0.capacity = Int64(capacity)
      $0.game = gameNumber
      $0.suspects = Int64(figures.suspects)
      if isLocked { $0.locked = true }
      if asksConsent { $0.consent = true }
    }
  }
}
