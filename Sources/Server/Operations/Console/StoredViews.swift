// The console's views of stored rows: sanctions in force, the audit log, the games of a room. Pure; the store's rows
// become JSON on the operators' shard.
import Game
import Gateway
import Store

extension SanctionRow {
  static let shownMax = 1_000

  var json: JSONText {
    .object { json in
      json.member("player", player.description)
      if let nickname { json.member("nickname", nickname) }
      json.member("kind", kind.rawValue)
      json.member("startedAtMs", since.milliseconds)
      if let until { json.member("endsAtMs", until.milliseconds) }
      if !reason.isEmpty { json.member("reason", reason) }
    }
  }
}

extension SanctionRow {
  /// The list, from one row more than its bound.
  static func list(_ rows: [SanctionRow]) -> JSONText {
    .object { json in
      json.member("rows", rows.prefix(shownMax).map(\.json))
      if rows.count > shownMax { json.member("hasMore", true) }
    }
  }
}

extension AuditRow {
  static let shownMax = 100

  var json: JSONText {
    .object { json in
      json.member("number", number)
      json.member("atMs", at.milliseconds)
      json.member("address", address)
      json.member("action", action)
      if let player { json.member("player", player.description) }
      if let nickname { json.member("nickname", nickname) }
      if let room { json.member("room", room.description) }
      json.member("detail", detail)
    }
  }

  /// A page, from one row more than its bound.
  static func page(_ rows: [AuditRow]) -> JSONText {
    let page = Page(rows, limit: shownMax)
    return .object { json in
      json.member("rows", page.rows.map(\.json))
      if let last = page.lastOfMore { json.member("next", last.number) }
    }
  }
}

/// A game in the list of a room's games.
struct ListedGame: Sendable {
  let id: GameID
  let mode: Mode
  let startedAt: Instant
  /// Nil for the running game.
  let endedAt: Instant?

  static let shownMax = 50

  var json: JSONText {
    .object { json in
      json.member("game", id.description)
      json.member("mode", mode.name)
      json.member("startedAtMs", startedAt.milliseconds)
      if let endedAt { json.member("endedAtMs", endedAt.milliseconds) }
    }
  }
}

extension ListedGame {
  init(_ row: GameRow) {
    self.init(id: row.id, mode: row.mode, startedAt: row.startedAt, endedAt: row.endedAt)
  }
}

extension Operations {
  /// The running game of a room.
  func runningGame(of id: RoomID) -> ListedGame? {
    guard let live = rooms.room(id), live.room.phase == .playing else { return nil }
    return ListedGame(
      id: GameID(room: id, number: live.room.gameNumber),
      mode: live.room.configuration.mode,
      startedAt: live.room.startedAt,
      endedAt: nil
    )
  }
}

extension GameServer {
  /// A room's games, newest first, with the running one at the top. `completion` is called on any thread.
  func games(of room: RoomID, _ completion: @escaping @Sendable (Result<[ListedGame], StoreFailure>) -> Void) {
    services.gather {
      $0.operations.runningGame(of: room)
    } completion: { [context] running in
      let running = running.compactMap { $0 }
      context.gateway.store.games(of: room, before: nil, limit: ListedGame.shownMax) { stored in
        completion(
          stored.map { games in
            // The running game may have ended between the two questions.
            let ended = games.map { ListedGame($0.row) }.filter { game in !running.contains { $0.id == game.id } }
            return Array((running + ended).prefix(ListedGame.shownMax))
          }
        )
      }
    }
  }
}
