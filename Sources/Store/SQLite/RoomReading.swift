// What the start and the commands ask for: rooms to recover, games and their journals. They wait, each on one snapshot
// of what is committed, and find segments that are not folded yet as if they were.
import GRDB
import Game

extension SQLiteStore {
  package func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure) {
    try read { db in
      // What no room begins with any more may be much, where a server never lived long enough to fold it.
      let oldest = try db.row("SELECT MIN(snapshot_segment) FROM rooms WHERE closed_at IS NULL")?.value(0, Int64?.self)
      guard let oldest else { return }
      let unfolded = try UnfoldedChunks(of: nil, in: oldest...Int64.max, on: db)
      let cursor = try Row.fetchCursor(
        db,
        sql: """
          SELECT rooms.id, rooms.code, rooms.opened_at, rooms.snapshot_segment, journals.bytes, journals.last_segment,
            (SELECT COALESCE(MAX(number), 0) FROM games WHERE games.room = rooms.id)
          FROM rooms LEFT JOIN journals ON journals.room = rooms.id AND journals.last_segment >= rooms.snapshot_segment
          WHERE rooms.closed_at IS NULL ORDER BY rooms.id, journals.first_segment
          """
      )
      let lastDamaged = max(unfolded.lastUnreadable ?? 0, try Damage(db: db).setAside().last?.number ?? 0)
      var current: (room: StoredRoom, from: Int64, last: Int64)?
      func finish() throws {
        guard var found = current else { return }
        current = nil
        unfolded.append(found.room.row.id, from: found.from, to: &found.room.journal)
        found.room.mayLackEnd = lastDamaged > max(found.last, unfolded.lastSegment(of: found.room.row.id) ?? 0)
        try body(found.room)
      }
      while let row = try cursor.next() {
        let id: RoomID = try row.value(0)
        if current?.room.row.id != id {
          try finish()
          let code = UInt64(bitPattern: try row.value(1, Int64.self))
          let room = RoomRow(id: id, code: code, openedAt: try row.value(2))
          let from: Int64 = try row.value(3)
          current = (StoredRoom(row: room, journal: [], lastGame: try row.value(6)), from, from)
        }
        if let chunk = try row.value(4, Blob?.self) {
          current?.room.journal += chunk.bytes
          current?.last = try row.value(5)
        }
      }
      try finish()
    }
  }

  package func unknownPlayers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID] {
    try read { db in try players.filter { try !db.knows($0) } }
  }

  package var unfinishedDeletions: [PlayerID] {
    get throws(StoreFailure) { try read { try Erasure.unfinished(on: $0) } }
  }

  package var lastConnection: UInt64 {
    get throws(StoreFailure) {
      try read {
        UInt64(max(0, try $0.rows("SELECT COALESCE(MAX(connection), 0) FROM sessions")[0].value(0, Int64.self)))
      }
    }
  }

  package var lastAliveAt: Instant? {
    get throws(StoreFailure) {
      try read { try $0.row("SELECT at FROM segments ORDER BY number DESC LIMIT 1")?.value(0) }
    }
  }

  package func games(newest limit: Int) throws(StoreFailure) -> [GameRow] {
    try read { db in
      try db.rows(
        "\(GameRow.query) WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, room DESC, number DESC LIMIT ?",
        max(0, limit)
      ).map(GameRow.init(row:))
    }
  }

  package func game(_ id: GameID) throws(StoreFailure) -> StoredGame? {
    try read { db in
      let query = "\(GameRow.query) WHERE room = ? AND number = ? AND ended_at IS NOT NULL"
      guard let row = try db.row(query, id.room, Int64(id.number)) else { return nil }
      return try StoredGame(row: row, on: db)
    }
  }

  package func games(
    of room: RoomID,
    before number: UInt32?,
    limit: Int,
    _ completion: @escaping Completion<[StoredGame]>
  ) {
    read(completion) { db in
      try db.rows(
        "\(GameRow.query) WHERE room = ? AND number < ? AND ended_at IS NOT NULL ORDER BY number DESC LIMIT ?",
        room,
        number.map(Int64.init) ?? .max,
        limit
      ).map { try StoredGame(row: $0, on: db) }
    }
  }

  package func journal(of id: GameID) throws(StoreFailure) -> [UInt8]? {
    try read { db in
      guard
        let game = try db.row(
          """
          SELECT first_segment, last_segment FROM games
          WHERE room = ? AND number = ? AND first_segment IS NOT NULL AND last_segment IS NOT NULL
          """,
          id.room,
          Int64(id.number)
        )
      else { return nil }
      return try Self.journal(of: id.room, in: try game.value(0)...(try game.value(1)), on: db)
    }
  }

  package func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]? {
    try read { db in
      let game = try db.row(
        "SELECT first_segment FROM games WHERE room = ? AND number = ? AND first_segment IS NOT NULL AND ended_at IS NULL",
        id.room,
        Int64(id.number)
      )
      return try game.map { try Self.journal(of: id.room, in: try $0.value(0)...Int64.max, on: db) }
    }
  }

  /// What lies in some segments of a room's journal, folded or not.
  private static func journal(of room: RoomID, in segments: ClosedRange<Int64>, on db: Database) throws -> [UInt8] {
    let rows = try db.rows(
      "SELECT bytes FROM journals WHERE room = ? AND last_segment >= ? AND first_segment <= ? ORDER BY first_segment",
      room,
      segments.lowerBound,
      segments.upperBound
    )
    var journal = try rows.flatMap { try $0.value(0, Blob.self).bytes }
    try UnfoldedChunks(of: room, in: segments, on: db).append(room, from: segments.lowerBound, to: &journal)
    return journal
  }
}

/// Chunks that lie in segments still, by their room. Those in segments that can't be read are left out: that something
/// is missing then, the chunks behind tell by their numbers.
struct UnfoldedChunks {
  private var chunks: [RoomID: [(segment: Int64, bytes: ArraySlice<UInt8>)]] = [:]
  /// The newest segment that can't be read.
  private(set) var lastUnreadable: Int64?

  /// Those of one room, or of all.
  init(of room: RoomID?, in segments: ClosedRange<Int64>, on db: Database) throws {
    let cursor = try Row.fetchCursor(
      db,
      sql: "SELECT number, bytes FROM segments WHERE number BETWEEN ? AND ? AND length(bytes) > 0 ORDER BY number",
      arguments: [segments.lowerBound, segments.upperBound]
    )
    while let row = try cursor.next() {
      let segment = try StoredSegment(row)
      if segment.chunks == nil { lastUnreadable = segment.number }
      for (id, chunk) in segment.chunks ?? [] where room == nil || room == id {
        chunks[id, default: []].append((segment.number, chunk))
      }
    }
  }

  /// The newest segment with a chunk of a room.
  func lastSegment(of room: RoomID) -> Int64? { chunks[room]?.last?.segment }

  /// Appends a room's chunks from a segment on.
  func append(_ room: RoomID, from first: Int64, to journal: inout [UInt8]) {
    for chunk in chunks[room] ?? [] where chunk.segment >= first { journal += chunk.bytes }
  }
}

extension GameRow {
  static let query = """
    SELECT room, number, mode, started_at, ended_at, rules_version, players_count, fingerprint, land FROM games
    """

  init(row: Row) throws {
    self.init(
      id: GameID(room: try row.value(0), number: try row.value(1)),
      mode: try row.value(2),
      startedAt: try row.value(3),
      endedAt: try row.value(4),
      rulesVersion: try row.value(5),
      playersCount: try row.value(6),
      fingerprint: UInt64(bitPattern: try row.value(7, Int64.self)),
      land: try row.value(8, LandID?.self)
    )
  }
}

extension StoredGame {
  /// A game's row, with its results.
  fileprivate init(row: Row, on db: Database) throws {
    let game = try GameRow(row: row)
    let results = try db.rows(
      "\(ResultRow.query) WHERE room = ? AND number = ? ORDER BY rank",
      game.id.room,
      Int64(game.id.number)
    )
    self.init(row: game, results: try results.map(ResultRow.init(row:)))
  }
}
