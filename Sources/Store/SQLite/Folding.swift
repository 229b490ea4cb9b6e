// Folds segments, which are ordered by commit, into rows of journals, which are ordered by room. Runs on the writer's
// queue inside a transaction, a piece at a time. A journal row never spans a room's newest snapshot, nor the begin or
// end of a game. So the part behind a snapshot and each game's journal can be deleted separately.
// Decisions: 049 (docs/decisions).
import GRDB
import Game

/// The folding of segments up to a number.
struct Folding {
  /// The bounds of a piece, whichever comes first; a single segment may be larger. A commit may wait for one piece.
  /// Every piece writes a row for each room in it, so smaller pieces write more, and recovery reads more rows.
  static let pieceBytes = 2 << 20
  static let pieceSegments = 200

  let db: Database
  /// The last segment to fold; segments committed meanwhile wait for the next time.
  let target: Int64

  /// Chunks of one room that become one row.
  private struct Run {
    let room: RoomID
    let first: Int64
    var last: Int64
    var bytes: [UInt8]
  }

  /// Folds a piece; returns the written bytes and rows, nil when there was nothing left. An unreadable segment throws
  /// `UnreadableSegment` before anything is written.
  func piece() throws -> (bytes: Int, rows: Int)? {
    let segments = try nextSegments()
    guard let first = segments.first?.number, let last = segments.last?.number else { return nil }
    let bounds = try bounds(from: first, through: last)
    var runs: [Run] = []
    var open: [RoomID: Int] = [:]
    for segment in segments {
      guard let chunks = segment.chunks else { throw UnreadableSegment(number: segment.number) }
      for (room, chunk) in chunks {
        let isCut = { (last: Int64) in bounds[room]?.contains { last < $0 && $0 <= segment.number } ?? false }
        if let index = open[room], !isCut(runs[index].last) {
          runs[index].last = segment.number
          runs[index].bytes += chunk
        } else {
          open[room] = runs.count
          runs.append(Run(room: room, first: segment.number, last: segment.number, bytes: [UInt8](chunk)))
        }
      }
    }
    for run in runs { try write(run) }
    try forget(through: last)
    return (runs.reduce(0) { $0 + $1.bytes.count }, runs.count + segments.count)
  }

  private func nextSegments() throws -> [StoredSegment] {
    let cursor = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT number, bytes FROM segments WHERE number <= ? AND length(bytes) > 0 ORDER BY number LIMIT ?"
      ),
      arguments: [target, Self.pieceSegments]
    )
    var segments: [StoredSegment] = []
    var bytes = 0
    while bytes < Self.pieceBytes, let row = try cursor.next() {
      let segment = try StoredSegment(row)
      if !segments.isEmpty && bytes + segment.byteCount > Self.pieceBytes { break }
      bytes += segment.byteCount
      segments.append(segment)
    }
    return segments
  }

  /// The segments at which a room's next row must begin: segments of snapshots, segments where games begin, and those
  /// behind the end of games.
  private func bounds(from first: Int64, through last: Int64) throws -> [RoomID: [Int64]] {
    var bounds: [RoomID: [Int64]] = [:]
    // A newest snapshot also sets `trim_segment`, because it makes a trimming due.
    let snapshots = try db.rows("SELECT id, trim_segment FROM rooms WHERE trim_segment BETWEEN ? AND ?", first, last)
    for row in snapshots { bounds[try row.value(0), default: []].append(try row.value(1)) }
    let begins = try db.rows("SELECT room, first_segment FROM games WHERE first_segment BETWEEN ? AND ?", first, last)
    for row in begins { bounds[try row.value(0), default: []].append(try row.value(1)) }
    let ends = try db.rows(
      "SELECT room, last_segment FROM games WHERE first_segment IS NOT NULL AND last_segment BETWEEN ? AND ?",
      first,
      last
    )
    for row in ends { bounds[try row.value(0), default: []].append(try row.value(1, Int64.self) + 1) }
    return bounds
  }

  private func write(_ run: Run) throws {
    try db.run(
      """
      INSERT INTO journals (room, first_segment, last_segment, bytes) SELECT id, ?, ?, ? FROM rooms WHERE id = ?
      """,
      run.first,
      run.last,
      Blob(run.bytes),
      run.room
    )
  }

  /// The newest row stays, emptied: its time is when the server was last alive, and its number precedes the next one.
  private func forget(through last: Int64) throws {
    try db.run("DELETE FROM segments WHERE number <= ? AND number < (SELECT MAX(number) FROM segments)", last)
    try db.run("UPDATE segments SET bytes = ? WHERE number <= ?", Blob([]), last)
  }
}

extension Database {
  /// The number of the newest segment; 0 before the first.
  func newestSegment() throws -> Int64 {
    try rows("SELECT COALESCE(MAX(number), 0) FROM segments")[0].value(0)
  }
}
