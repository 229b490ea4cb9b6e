// Unreadable segments. Readers of segments find them, and maintenance sets them aside one at a time, so that they stop
// neither a start nor the folding of later segments. Their chunks are lost to the journals; the numbers of later chunks
// show which rooms are affected.
import GRDB
import Game

/// A segment as it is read back.
struct StoredSegment {
  let number: Int64
  let byteCount: Int
  /// Each room's chunk, in the order of appending; nil when the bytes are not a valid segment.
  let chunks: [(room: RoomID, bytes: ArraySlice<UInt8>)]?

  /// Takes a row of number and bytes.
  init(_ row: Row) throws {
    number = try row.value(0)
    // A column without bytes is damage like any other.
    guard let blob = try? row.value(1, Blob.self) else {
      (byteCount, chunks) = (0, nil)
      return
    }
    byteCount = blob.bytes.count
    var chunks: [(room: RoomID, bytes: ArraySlice<UInt8>)]? = []
    do throws(StoreFailure) {
      try Segment(bytes: blob.bytes).forEach { chunks?.append(($0, $1)) }
    } catch {
      chunks = nil
    }
    self.chunks = chunks
  }
}

/// An unreadable segment blocks the operation.
struct UnreadableSegment: Error {
  let number: Int64
}

/// The unreadable segments.
struct Damage {
  let db: Database

  /// Sets a segment aside, on the writer's queue. Its row stays, empty, for its time and its number.
  func setAside(_ damage: UnreadableSegment, at now: Instant) throws -> DamagedSegment {
    try db.run(
      """
      INSERT INTO damaged_segments (number, written_at, found_at, bytes)
      SELECT number, at, ?, bytes FROM segments WHERE number = ?
      """,
      now,
      damage.number
    )
    try db.run("UPDATE segments SET bytes = ? WHERE number = ?", Blob([]), damage.number)
    guard let segment = try setAside().first(where: { $0.number == damage.number }) else {
      preconditionFailure("a segment that was set aside exists")
    }
    return segment
  }

  /// The segments that are set aside and not forgotten yet.
  func setAside() throws -> [DamagedSegment] {
    try db.rows("SELECT number, written_at, length(bytes) FROM damaged_segments ORDER BY number").map {
      DamagedSegment(number: try $0.value(0), writtenAt: try $0.value(1), byteCount: try $0.value(2))
    }
  }
}
