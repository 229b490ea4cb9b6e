// The list of players' connections, with a console's filters, order and pages.
//
// Each shard looks at its own connections, on its queue. System calls are made only for the rows shown.
import ConsoleProtocol
import Game
import Gateway
import MadangProtocol
import Net

/// A connection in the list.
struct ListedConnection: Sendable {
  let shard: Int
  let token: UInt64
  let player: PlayerID?
  let nickname: String?
  let address: IPAddress
  let room: RoomID?
  /// Nil where there is no code, or it is hidden.
  let code: RoomCode?
  let subprotocol: String
  let unsentBytes: Int
  let isBehind: Bool
  let openedAtMs: Int64?
  var roundTripMicroseconds: Int64?
  /// The sort key of the list.
  let key: ConnectionKey
}

/// One shard's part of a page.
struct ConnectionsPart: Sendable {
  var total = 0
  var matching = 0
  /// Of the matching ones those on the page and behind it.
  var behind = 0
  /// In order; enough for the page if the others have none.
  var first: [ListedConnection] = []
}

extension ConnectionsQuery {
  private typealias Sortable = (key: ConnectionKey, shard: Int, token: UInt64)

  private func precedes(_ left: Sortable, _ right: Sortable) -> Bool {
    if left.key != right.key { return page.isDescending ? left.key > right.key : left.key < right.key }
    return (left.shard, left.token) < (right.shard, right.token)
  }

  /// The part of one shard's connections.
  func part(of core: ShardCore) -> ConnectionsPart {
    var part = ConnectionsPart()
    let shard = core.index
    var best = BestRows<(key: ConnectionKey, connection: Connection)>(page.end) { left, right in
      precedes((left.key, shard, left.connection.token), (right.key, shard, right.connection.token))
    }
    core.forEachConnection { connection in
      part.total += 1
      let session = connection.context as? Session
      let identity = session?.state.identity
      if let filter, !filter.matches(identity?.player, identity?.nickname, connection.address.ip) { return }
      part.matching += 1
      let key = key(of: connection, session, on: shard)
      if let after, !precedes((after.key, after.shard, after.token), (key, shard, connection.token)) { return }
      part.behind += 1
      best.add((key, connection))
    }
    part.first = best.take().map { ListedConnection($0.connection, on: shard, key: $0.key) }
    return part
  }

  /// The rows of the page, from all shards' parts.
  func rows(of parts: [ConnectionsPart]) -> [ListedConnection] {
    let first = parts.flatMap(\.first).sorted {
      precedes(($0.key, $0.shard, $0.token), ($1.key, $1.shard, $1.token))
    }
    return Array(first.dropFirst(page.offset).prefix(page.limit))
  }

  func list(of parts: [ConnectionsPart], _ rows: [ListedConnection]) -> FeedConnectionList {
    .with {
      $0.total = Int64(parts.reduce(0) { $0 + $1.total })
      $0.matching = Int64(parts.reduce(0) { $0 + $1.matching })
      $0.offset = Int64(page.offset)
      $0.rows = rows.map(\.message)
      if let last = rows.last, parts.reduce(0, { $0 + $1.behind }) > page.offset + rows.count {
        $0.next = ConnectionsCursor(key: last.key, shard: last.shard, token: last.token).text
      }
    }
  }

  private func key(of connection: Connection, _ session: Session?, on shard: Int) -> ConnectionKey {
    switch sort {
    case .nickname: .text(session?.state.identity?.nickname ?? "")
    case .address: .address(connection.address.ip)
    case .shard: .number(Int64(shard))
    case .unsentBytes: .number(Int64(connection.unsentBytes))
    case .room: .number(session?.room.map { Int64($0.place.code.bits) } ?? -1)
    }
  }
}

extension ListedConnection {
  fileprivate init(_ connection: Connection, on shard: Int, key: ConnectionKey) {
    let session = connection.context as? Session
    self.shard = shard
    token = connection.token
    player = session?.state.identity?.player
    nickname = session?.state.identity?.nickname
    address = connection.address.ip
    room = session?.room?.id
    code = session?.room.flatMap { $0.isSolo ? nil : $0.place.code }
    subprotocol = connection.subprotocol ?? ""
    unsentBytes = connection.unsentBytes
    isBehind = connection.isBehind
    // A connection's number is the time at which it was opened.
    openedAtMs = session.map { Int64(clamping: $0.state.number / 1_000) }
    self.key = key
  }

  fileprivate var message: FeedConnectionList.Row {
    .with {
      if let player { $0.player = player.description }
      if let nickname { $0.nickname = nickname }
      $0.address = address.description
      $0.shard = Int64(shard)
      if let room { $0.room = room.description }
      if let code { $0.code = code.description }
      $0.subprotocol = subprotocol
      $0.unsentBytes = Int64(unsentBytes)
      $0.behind = isBehind
      if let roundTripMicroseconds { $0.roundTripMs = roundTripMicroseconds / 1_000 }
      if let openedAtMs { $0.openedAtMs = openedAtMs }
    }
  }
}

extension ConnectionsQuery {
  /// The page of a server's connections, with round trips of those on it.
  func answer(
    from server: GameServer,
    _ completion: @escaping @Sendable ([ConnectionsPart], [ListedConnection]) -> Void
  ) {
    server.services.gather {
      part(of: $0.gateway.core)
    } completion: { parts in
      let rows = rows(of: parts)
      server.services.gather { service in
        rows.map { row in
          guard row.shard == service.gateway.core.index else { return nil }
          return service.gateway.core.connection(for: row.token)?.roundTripMicroseconds
        }
      } completion: { (measured: [[Int64?]]) in
        var rows = rows
        for (index, row) in rows.enumerated() { rows[index].roundTripMicroseconds = measured[row.shard][index] }
        completion(parts, rows)
      }
    }
  }
}
