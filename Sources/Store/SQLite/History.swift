// The server's history: the writing of a minute in a batch, its read, and its deletion.
// Decisions: 162 (docs/decisions).
import GRDB
import Game

struct HistoryWriting {
  let db: Database

  func write(_ minute: HistoryMinute) throws {
    try db.run(
      """
      INSERT INTO minutes (slot, at, span_ms, players, connections, rooms, games, received, sent, bytes_received,
        bytes_sent, frames, errors, taps, commits, commit_failures, cpu_ms, resident_bytes, send_queue_bytes,
        load_permille, lateness_us, commit_us)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (slot) DO UPDATE SET at = excluded.at, span_ms = excluded.span_ms, players = excluded.players,
        connections = excluded.connections, rooms = excluded.rooms, games = excluded.games,
        received = excluded.received, sent = excluded.sent, bytes_received = excluded.bytes_received,
        bytes_sent = excluded.bytes_sent, frames = excluded.frames, errors = excluded.errors, taps = excluded.taps,
        commits = excluded.commits, commit_failures = excluded.commit_failures, cpu_ms = excluded.cpu_ms,
        resident_bytes = excluded.resident_bytes, send_queue_bytes = excluded.send_queue_bytes,
        load_permille = excluded.load_permille, lateness_us = excluded.lateness_us, commit_us = excluded.commit_us
      """,
      minute.slot,
      minute.at,
      minute.spanMs,
      minute.players,
      minute.connections,
      minute.rooms,
      minute.games,
      minute.received,
      minute.sent,
      minute.bytesReceived,
      minute.bytesSent,
      minute.frames,
      minute.errors,
      minute.taps,
      minute.commits,
      minute.commitFailures,
      minute.cpuMs,
      minute.residentBytes,
      minute.sendQueueBytes,
      minute.loadPermille,
      minute.latenessUs,
      minute.commitUs
    )
  }
}

extension Forgetting {
  /// Deletes minutes that ended before a moment; returns their number.
  func dropMinutes(before moment: Instant) throws -> Int {
    try db.run("DELETE FROM minutes WHERE at < ?", moment)
  }
}

/// A store whose history is read from an SQLite database.
package protocol HistoryReading: HistoryStore {
  /// Runs `body` on a reader's queue, on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension HistoryReading {
  package func minutes(
    after first: Instant,
    through last: Instant,
    _ completion: @escaping Completion<[HistoryMinute]>
  ) {
    read(completion) { db in
      try db.rows(
        """
        SELECT at, span_ms, players, connections, rooms, games, received, sent, bytes_received, bytes_sent, frames,
          errors, taps, commits, commit_failures, cpu_ms, resident_bytes, send_queue_bytes, load_permille, lateness_us,
          commit_us
        FROM minutes WHERE at > ? AND at <= ? ORDER BY at
        """,
        first,
        last
      ).map(HistoryMinute.init(row:))
    }
  }
}

extension HistoryMinute {
  fileprivate init(row: Row) throws {
    let at: Instant = try row.value(0)
    guard at.milliseconds >= 0 else { throw StoreFailure.corrupt("the time of a minute") }
    self.init(at: at)
    spanMs = try row.value(1)
    players = try row.value(2)
    connections = try row.value(3)
    rooms = try row.value(4)
    games = try row.value(5)
    received = try row.value(6)
    sent = try row.value(7)
    bytesReceived = try row.value(8)
    bytesSent = try row.value(9)
    frames = try row.value(10)
    errors = try row.value(11)
    taps = try row.value(12)
    commits = try row.value(13)
    commitFailures = try row.value(14)
    cpuMs = try row.value(15)
    residentBytes = try row.value(16)
    sendQueueBytes = try row.value(17)
    loadPermille = try row.value(18)
    latenessUs = try row.value(19)
    commitUs = try row.value(20)
  }
}
