// The check of a store: the database's own integrity check, and the rules that no constraint can express. Reads one
// snapshot, beside a server if there is one; changes nothing. Blocks.
import GRDB
import Game

extension SQLiteStore {
  /// The faults of a folder's store, a line each; empty when it is sound.
  package static func check(folder: String) throws(StoreFailure) -> [String] {
    let store = try SQLiteStore(folder: folder, isReadOnly: true)
    defer { store.close() }
    return try StoreCheck.complaints(store.blobs.files) { try store.pool.read($0) }
  }
}

/// The check of a store, on one snapshot of it.
struct StoreCheck {
  let db: Database

  /// The faults of a database and, with `blobs`, of the files of its pictures; `read` calls its argument with a
  /// snapshot of it.
  static func complaints(
    _ blobs: BlobFiles?,
    read: ((Database) throws -> [String]) throws -> [String]
  ) throws(StoreFailure) -> [String] {
    do {
      return try read { db in
        let check = StoreCheck(db: db)
        return try check.complaints() + (blobs.map(check.missingBlobs) ?? [])
      }
    } catch {
      switch StoreFailure(error) {
      case .corrupt(let what): return ["integrity: \(what)"]
      case let failure: throw failure
      }
    }
  }

  func complaints() throws -> [String] {
    let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    // Contents of damaged pages are not worth checking.
    guard integrity.isEmpty else { return integrity.map { "integrity: \($0)" } }
    return try brokenReferences() + brokenSegments() + damagedSegments() + brokenRooms() + brokenGames()
      + brokenBadges() + brokenLands() + brokenRankings() + brokenProposals() + brokenSchools() + brokenTaps()
      + brokenAudit() + brokenCapsules() + brokenWebhooks() + brokenStories() + brokenMedia()
      + brokenPlans() + brokenProfiles() + brokenReports() + brokenTracks()
  }

  private func brokenReferences() throws -> [String] {
    try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
      "a row of \(try row.value(0, String.self)) belongs to no row of \(try row.value(2, String.self))"
    }
  }

  private func brokenSegments() throws -> [String] {
    var complaints: [String] = []
    let row = try db.rows("SELECT COUNT(*), COALESCE(MAX(number) - MIN(number) + 1, 0) FROM segments")[0]
    if try row.value(0, Int.self) != row.value(1, Int.self) { complaints.append("segments are not consecutive") }
    let known = Set(try db.rows("SELECT id FROM rooms").map { try $0.value(0, RoomID.self) })
    for row in try db.rows("SELECT number, bytes FROM segments ORDER BY number") {
      let segment = try StoredSegment(row)
      guard let chunks = segment.chunks else {
        complaints.append(
          "segment \(segment.number) can't be read, \(segment.byteCount) bytes; the server sets it aside"
        )
        continue
      }
      let strangers = Set(chunks.map(\.room)).subtracting(known)
      complaints += strangers.sorted().map { "segment \(segment.number) has a chunk of room \($0), which is not there" }
    }
    return complaints
  }

  private func damagedSegments() throws -> [String] {
    try Damage(db: db).setAside().map {
      "segment \($0.number) could not be read and was set aside, \($0.byteCount) bytes: what rooms did in it is lost"
    }
  }

  private func brokenRooms() throws -> [String] {
    var complaints: [String] = []
    let unfolded = try UnfoldedChunks(of: nil, in: Int64.min...Int64.max, on: db)
    for row in try db.rows("SELECT id, snapshot_segment FROM rooms WHERE closed_at IS NULL ORDER BY id") {
      let (room, from): (RoomID, Int64) = (try row.value(0), try row.value(1))
      var journal: [UInt8] = []
      for row in try db.rows(
        "SELECT bytes FROM journals WHERE room = ? AND last_segment >= ? ORDER BY first_segment",
        room,
        from
      ) { journal += try row.value(0, Blob.self).bytes }
      unfolded.append(room, from: from, to: &journal)
      do {
        guard let recovery = try RoomRecovery(from: journal) else {
          complaints.append("room \(room) is open, but its journal has no beginning")
          continue
        }
        if let loss = recovery.loss { complaints.append("room \(room): \(loss)") }
      } catch {
        complaints.append("room \(room): \(error)")
      }
    }
    let overlaps = try db.rows(
      """
      SELECT DISTINCT a.room FROM journals AS a, journals AS b
      WHERE a.room = b.room AND a.first_segment < b.first_segment AND b.first_segment <= a.last_segment
      """
    )
    return try complaints + overlaps.map { "room \(try $0.value(0, RoomID.self)) has journals that overlap" }
  }

  private func brokenGames() throws -> [String] {
    let counts = try db.rows(
      """
      SELECT room, number FROM games WHERE players_count < (
        SELECT COUNT(*) FROM results WHERE results.room = games.room AND results.number = games.number)
      """
    )
    let ends = try db.rows(
      """
      SELECT DISTINCT games.room, games.number FROM games
      JOIN results ON results.room = games.room AND results.number = games.number
      WHERE games.ended_at IS NULL OR games.ended_at <> results.ended_at OR games.mode <> results.mode
        OR games.land IS DISTINCT FROM results.land
      """
    )
    return try counts.map { "game \(try id($0)) has more results than players" }
      + ends.map { "game \(try id($0)) differs from its results" }
  }

  private func brokenBadges() throws -> [String] {
    try BadgeRules.thresholds.enumerated().flatMap { badge, threshold in
      try db.rows(
        """
        SELECT players.id FROM players
        WHERE (EXISTS (SELECT 1 FROM badges WHERE badges.player = players.id AND badges.badge = ?))
          <> ((SELECT COUNT(*) FROM results WHERE results.player = players.id AND counts = 1) >= ?)
          AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
        """,
        badge,
        threshold
      ).map { "player \(try $0.value(0, PlayerID.self)): badge \(badge) does not match the records" }
    }
  }

  private func id(_ row: Row) throws -> GameID {
    GameID(room: try row.value(0), number: try row.value(1))
  }
}
