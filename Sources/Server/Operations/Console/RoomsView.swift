// The list of rooms, with a console's filters, order and pages.
//
// Each shard looks at its own rooms, on its queue, and hands over its first ones as numbers. Texts are made only for
// shown rows, on the operators' shard.
import ConsoleProtocol
import Game
import Gateway
import MadangProtocol
import Net

/// One shard's part of a page.
struct RoomsPart: Sendable {
  var total = 0
  var matching = 0
  /// Of the matching ones those on the page and behind it.
  var behind = 0
  /// In order; enough for the page if the others have none.
  var first: [(key: Int64, room: ListedRoom)] = []
}

extension RoomsQuery {
  /// Whether one room comes before another; rooms with the same key keep an order.
  private func precedes(_ left: (key: Int64, id: RoomID), _ right: (key: Int64, id: RoomID)) -> Bool {
    if left.key != right.key { return page.isDescending ? left.key > right.key : left.key < right.key }
    return left.id < right.id
  }

  /// The part of one shard's rooms.
  func part(of rooms: some Sequence<LiveRoom>) -> RoomsPart {
    var part = RoomsPart()
    var best = BestRows<(key: Int64, id: RoomID, live: LiveRoom)>(page.end) { left, right in
      precedes((left.key, left.id), (right.key, right.id))
    }
    for live in rooms {
      part.total += 1
      guard matches(live) else { continue }
      part.matching += 1
      let key = key(of: live)
      if let after, !precedes((after.key, after.id), (key, live.id)) { continue }
      part.behind += 1
      best.add((key, live.id, live))
    }
    part.first = best.take().map { ($0.key, ListedRoom($0.live)) }
    return part
  }

  /// The page, from all shards' parts.
  func list(of parts: [RoomsPart]) -> FeedRoomList {
    let first = parts.flatMap(\.first).sorted { precedes(($0.key, $0.room.id), ($1.key, $1.room.id)) }
    let rows = first.dropFirst(page.offset).prefix(page.limit)
    return .with {
      $0.total = Int64(parts.reduce(0) { $0 + $1.total })
      $0.matching = Int64(parts.reduce(0) { $0 + $1.matching })
      $0.offset = Int64(page.offset)
      $0.rows = rows.map(\.room.message)
      if let last = rows.last, parts.reduce(0, { $0 + $1.behind }) > page.offset + rows.count {
        $0.next = RoomsCursor(key: last.key, id: last.room.id).text
      }
    }
  }

  private func matches(_ live: LiveRoom) -> Bool {
    if let mode, live.figures.kind.mode != mode { return false }
    if let phase, live.figures.kind.phase != phase { return false }
    return filter?.matches(live.isSolo ? nil : live.place.code, live.id) ?? true
  }

  private func key(of live: LiveRoom) -> Int64 {
    switch sort {
    case .code: live.isSolo ? -1 : Int64(live.place.code.bits)
    case .mode: Int64(live.figures.kind.mode.rawValue)
    case .phase: Int64(live.figures.kind.phase.rawValue)
    case .shard: Int64(live.place.shard)
    case .players: Int64(live.figures.players)
    case .connected: Int64(live.connectedCount)
    case .game: Int64(live.room.gameNumber)
    case .suspects: Int64(live.figures.suspects)
    }
  }
}
