// Reads of players: passwords to check, on readers' queues, and reads of the start, which block.
import GRDB
import Game

extension SQLiteStore {
  package func password(ofEmail email: String, _ completion: @escaping Completion<StoredPassword?>) {
    read(completion) { db in
      try Self.password(try db.row("SELECT id, password_hash FROM players WHERE email = ?", email))
    }
  }

  package func password(of player: PlayerID, _ completion: @escaping Completion<StoredPassword?>) {
    read(completion) { db in
      try Self.password(
        try db.row("SELECT id, password_hash FROM players WHERE id = ? AND password_hash IS NOT NULL", player)
      )
    }
  }

  private static func password(_ row: Row?) throws -> StoredPassword? {
    try row.map { StoredPassword(player: try $0.value(0), hash: try $0.value(1)) }
  }

  package func blockedPlayers(of player: PlayerID, _ completion: @escaping Completion<[BlockedPlayer]>) {
    read(completion) { db in
      try db.rows(
        """
        SELECT players.id, players.nickname FROM blocks JOIN players ON players.id = blocks.blocked
        WHERE blocks.player = ? ORDER BY players.id
        """,
        player
      ).map { BlockedPlayer(id: try $0.value(0), nickname: try $0.value(1)) }
    }
  }

  package func unknownPlayers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID] {
    try read { db in try players.filter { try !db.knows($0) } }
  }

  package var lastConnection: UInt64 {
    get throws(StoreFailure) {
      try read {
        UInt64(max(0, try $0.rows("SELECT COALESCE(MAX(connection), 0) FROM sessions")[0].value(0, Int64.self)))
      }
    }
  }
}
