// The console's views of stored rows: sanctions in force, the audit log, the games of a room. Pure; the store's rows
// become messages on the operators' shard.
import ConsoleProtocol
import Game
import Gateway
import Store

extension SanctionRow {
  static let shownMax = 1_000

  private var message: FeedSanctionList.Row {
    .with {
      $0.player = player.description
      if let nickname { $0.nickname = nickname }
      $0.kind = kind.rawValue
      $0.startedAtMs = since.milliseconds
      if let until { $0.endsAtMs = until.milliseconds }
      if !reason.isEmpty { $0.reason = reason }
      if let addressBan { $0.addressBanEndsAtMs = addressBan.until.milliseconds }
      if let room = addressBan?.room { $0.addressBanRoom = room.description }
    }
  }

  /// The list, from one row more than its bound, or with the store's failure.
  static func list(_ rows: Result<[SanctionRow], StoreFailure>) -> FeedSanctionList {
    .with {
      switch rows {
      case .success(let rows):
        $0.rows = rows.prefix(shownMax).map(\.message)
        if rows.count > shownMax { $0.hasMore_p = true }
      case .failure(let failure): $0.error = "\(failure)"
      }
    }
  }
}

extension AuditRow {
  static let shownMax = 100

  private var message: FeedAuditPage.Row {
    .with {
      $0.number = number
      $0.atMs = at.milliseconds
      $0.address = address
      $0.action = action
      if let player { $0.player = player.description }
      if let nickname { $0.nickname = nickname }
      if let room { $0.room = room.description }
      $0.detail = detail
      if !entry.operator.isEmpty { $0.operator = entry.operator }
      if let code = entry.code { $0.code = code }
      if !entry.reason.isEmpty { $0.reason = entry.reason }
    }
  }

  /// A page, from one row more than its bound, or with the store's failure.
  static func page(_ rows: Result<[AuditRow], StoreFailure>) -> FeedAuditPage {
    .with {
      switch rows {
      case .success(let rows):
        let page = Page(rows, limit: shownMax)
        $0.rows = page.rows.map(\.message)
        if let last = page.lastOfMore { $0.next = last.number }
      case .failure(let failure): $0.error = "\(failure)"
      }
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

  var message: FeedGame {
    .with {
      $0.game = id.description
      $0.mode = mode.name
      $0.startedAtMs = startedAt.milliseconds
      if let endedAt { $0.endedAtMs = endedAt.milliseconds }
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

extension ListedGame {
  /// A room's games, newest first, with the running one at the top. `completion` is called on any thread.
  static func all(
    of room: RoomID,
    on server: GameServer,
    _ completion: @escaping @Sendable (Result<[ListedGame], StoreFailure>) -> Void
  ) {
    server.services.gather {
      $0.operations.runningGame(of: room)
    } completion: { [context = server.context] running in
      let running = running.compactMap { $0 }
      context.gateway.store.games(of: room, before: nil, limit: shownMax) { stored in
        completion(
          stored.map { games in
            // The running game may have ended between the two questions.
            let ended = games.map { ListedGame($0.row) }.filter { game in !running.contains { $0.id == game.id } }
            return Array((running + ended).prefix(shownMax))
          }
        )
      }
    }
  }
}
