// The list of rooms, as a console filters, orders and turns its pages.
//
// Each shard looks at its own rooms, on its thread, and hands over its first ones as numbers; texts are made of those that are
// shown, on the operators' shard.
import Game
import MadangProtocol
import Net

/// A room in the list.
struct ListedRoom: Sendable {
  let code: RoomCode
  let isSolo: Bool
  let id: RoomID
  let kind: RoomKind
  let shard: Int
  let players: Int
  let connected: Int
  let capacity: Int
  let gameNumber: UInt32
  let suspects: Int
  /// What the list is ordered by.
  let key: Int64
}

/// What one shard has for a page.
struct RoomsPart: Sendable {
  var total = 0
  var matching = 0
  /// In order; enough for the page if the others have none.
  var first: [ListedRoom] = []
}

extension RoomsQuery {
  /// Rooms that have the same key stay in an order.
  private func precedes(_ left: (key: Int64, id: RoomID), _ right: (key: Int64, id: RoomID)) -> Bool {
    if left.key != right.key { return page.isDescending ? left.key > right.key : left.key < right.key }
    return left.id < right.id
  }

  /// What a shard's rooms come to.
  func part(of rooms: some Sequence<LiveRoom>) -> RoomsPart {
    var part = RoomsPart()
    var best = BestRows<(key: Int64, id: RoomID, live: LiveRoom)>(page.end) { left, right in
      precedes((left.key, left.id), (right.key, right.id))
    }
    for live in rooms {
      part.total += 1
      guard matches(live) else { continue }
      part.matching += 1
      best.add((key(of: live), live.id, live))
    }
    part.first = best.take().map { ListedRoom($0.live, key: $0.key) }
    return part
  }

  /// The page, of what all shards have.
  func json(of parts: [RoomsPart]) -> JSONText {
    let first = parts.flatMap(\.first).sorted { precedes(($0.key, $0.id), ($1.key, $1.id)) }
    return .object { json in
      json.member("total", parts.reduce(0) { $0 + $1.total })
      json.member("matching", parts.reduce(0) { $0 + $1.matching })
      json.member("offset", page.offset)
      json.member("rows", first.dropFirst(page.offset).prefix(page.limit).map(\.json))
    }
  }

  private func matches(_ live: LiveRoom) -> Bool {
    if let mode, live.room.configuration.mode != mode { return false }
    if let phase, live.room.phase != phase { return false }
    return filter?.matches(live.isSolo ? nil : live.place.code, live.id) ?? true
  }

  private func key(of live: LiveRoom) -> Int64 {
    switch sort {
    case .code: live.isSolo ? -1 : Int64(live.place.code.bits)
    case .mode: live.room.configuration.mode.rank
    case .phase: live.room.phase.rank
    case .shard: Int64(live.place.shard)
    case .players: Int64(live.room.memberCount)
    case .connected: Int64(live.connectedCount)
    case .game: Int64(live.room.gameNumber)
    case .suspects: Int64(live.room.suspectCount)
    }
  }
}

extension LiveRoom {
  /// Nobody can enter it, so its code is shown to nobody.
  var isSolo: Bool { room.configuration.solo }

  var connectedCount: Int { sessions.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }
}

extension ListedRoom {
  fileprivate init(_ live: LiveRoom, key: Int64) {
    code = live.place.code
    isSolo = live.isSolo
    id = live.id
    kind = RoomKind(mode: live.room.configuration.mode, phase: live.room.phase)
    shard = live.place.shard
    players = live.room.memberCount
    connected = live.connectedCount
    capacity = live.room.configuration.capacity
    gameNumber = live.room.gameNumber
    suspects = live.room.suspectCount
    self.key = key
  }

  fileprivate var json: JSONText {
    .object { json in
      json.member("id", id.description)
      json.member("code", isSolo ? "" : code.description)
      json.member("mode", kind.mode.name)
      json.member("phase", kind.phase.name)
      json.member("shard", shard)
      json.member("players", players)
      json.member("connected", connected)
      json.member("capacity", capacity)
      json.member("game", gameNumber)
      json.member("suspects", suspects)
    }
  }
}

extension Mode {
  /// In the order in which lists have them.
  fileprivate var rank: Int64 {
    switch self {
    case .footprint: 0
    case .territory: 1
    case .land: 2
    }
  }
}

extension Phase {
  fileprivate var rank: Int64 {
    switch self {
    case .lobby: 0
    case .playing: 1
    case .ended: 2
    }
  }
}
