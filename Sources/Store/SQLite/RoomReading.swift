// Reads of rooms to recover and of journals, for the start and for commands. They block, each on one snapshot of the
// committed data. Segments that are not folded yet are read as well.
import GRDB
import Game

extension SQLiteStore {
  package func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure) {
    try read { try RoomReading(db: $0).liveRooms(body) }
  }

  package func journal(of id: GameID) throws(StoreFailure) -> [UInt8]? {
    try read { try RoomReading(db: $0).journal(of: id) }
  }

  package func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]? {
    try read { try RoomReading(db: $0).journal(ofRunning: id) }
  }
}

/// Rooms and their journals, read on one snapshot.
struct RoomReading {
  let db: Database

  /// Hands over the open rooms, each with its journal from its newest snapshot on.
  func liveRooms(_ body: (StoredRoom) throws -> Void) throws {
    // Older segments may be many, where a server never lived long enough to fold them.
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

  /// The journal of an ended game from its begin to its end; nil where it is not kept.
  func journal(of id: GameID) throws -> [UInt8]? {
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
    return try journal(of: id.room, in: try game.value(0)...(try game.value(1)))
  }

  /// The journal of a running game from its begin on; nil where there is none.
  func journal(ofRunning id: GameID) throws -> [UInt8]? {
    let game = try db.row(
      "SELECT first_segment FROM games WHERE room = ? AND number = ? AND first_segment IS NOT NULL AND ended_at IS NULL",
      id.room,
      Int64(id.number)
    )
    return try game.map { try journal(of: id.room, in: try $0.value(0)...Int64.max) }
  }

  /// The part of a room's journal in these segments, folded or not.
  func journal(of room: RoomID, in segments: ClosedRange<Int64>) throws -> [UInt8] {
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

/// Chunks in unfolded segments, by room. Unreadable segments are left out; the numbers of later chunks show the gap.
struct UnfoldedChunks {
  private var chunks: [RoomID: [(segment: Int64, bytes: ArraySlice<UInt8>)]] = [:]
  /// The newest unreadable segment.
  private(set) var lastUnreadable: Int64?

  /// Reads the chunks of one room, or of all.
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
