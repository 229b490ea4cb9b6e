// Writes lands, their new names, and runs around them. Adding lands blocks; the rest is a part of `BatchWriting`.
import GRDB
import Game

extension BatchWriting {
  /// Stores a run that captured its land; runs of unknown players or lands are left out.
  func add(_ run: LandRunResult, at: Instant) throws {
    let timeMs = run.time.wholeMilliseconds
    let isNew = try db.run(
      """
      INSERT INTO land_runs (land, player, captured_at, time_ms)
      SELECT lands.id, players.id, ?, ? FROM lands, players WHERE lands.id = ? AND players.id = ?
        AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
      ON CONFLICT (land, player, captured_at) DO NOTHING
      """,
      at,
      timeMs,
      run.land,
      run.player
    )
    guard isNew > 0 else { return }
    try db.run(
      """
      INSERT INTO ranked_runs (period, land, player, time_ms, captured_at)
      SELECT number, ?, ?, ?, ? FROM ranking_periods WHERE began_at <= ? AND ended_at > ? AND is_over = 0
      ON CONFLICT (period, land, player) DO UPDATE SET time_ms = excluded.time_ms, captured_at = excluded.captured_at
      WHERE (excluded.time_ms, excluded.captured_at) < (ranked_runs.time_ms, ranked_runs.captured_at)
      """,
      run.land,
      run.player,
      timeMs,
      at,
      at,
      at
    )
  }
}

extension BatchWriting {
  /// Gives a land another name.
  func rename(_ land: LandID, to name: String, _ entry: AuditEntry) throws -> ImportOutcome {
    guard let row = try db.row("SELECT name FROM lands WHERE id = ?", land) else { return .unknownLand }
    let before: String = try row.value(0)
    try db.run("UPDATE lands SET name = ? WHERE id = ?", name, land)
    try write(entry.with(land, named: name, before: before))
    return .renamedLand(from: before)
  }
}

extension SQLiteStore {
  package func addLands(_ lands: [Land]) throws(StoreFailure) -> [Bool] {
    do {
      return try pool.writeWithoutTransaction { db in
        try db.transaction { try lands.map { try Self.add($0, on: db) } }
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  /// Adds a land; false for a known one.
  static func add(_ land: Land, on db: Database) throws -> Bool {
    let isNew = try db.run(
      """
      INSERT INTO lands (id, name, vertices, length_mm) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
      """,
      land.id,
      land.name,
      Blob(land.vertexBytes),
      land.lengthMm
    )
    guard isNew > 0, let row = try db.row("SELECT number FROM lands WHERE id = ?", land.id) else { return false }
    let number: Int64 = try row.value(0)
    let box = LandBox(of: land)
    for (index, part) in LandBox.parts(box.lngs).enumerated() {
      try db.run(
        "INSERT INTO land_boxes (number, low_lat, high_lat, low_lng, high_lng) VALUES (?, ?, ?, ?, ?)",
        2 * number + Int64(index),
        box.lats.lowerBound,
        box.lats.upperBound,
        part.lowerBound,
        part.upperBound
      )
    }
    return true
  }
}

extension Land {
  /// Each vertex as eight bytes: latitude, longitude, big-endian.
  var vertexBytes: [UInt8] { Array(vertices).bytes }

  /// Takes a row of id, name and vertices.
  init(row: Row) throws {
    let vertices = try [Coordinate](bytes: row.value(2, Blob.self).bytes)
    guard Land.verticesRange.contains(vertices.count) else { throw StoreFailure.corrupt("the vertices of a land") }
    self.init(id: try row.value(0), name: try row.value(1), vertices: ContiguousArray(vertices))
  }
}

extension [Coordinate] {
  /// Each place as eight bytes: latitude, longitude, big-endian.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * count)
    for place in self {
      Swift.withUnsafeBytes(of: place.latE7.bigEndian) { bytes += $0 }
      Swift.withUnsafeBytes(of: place.lngE7.bigEndian) { bytes += $0 }
    }
    return bytes
  }

  /// Reads what `bytes` has written.
  init(bytes: [UInt8]) throws {
    guard bytes.count % 8 == 0 else { throw StoreFailure.corrupt("the places of a ring") }
    self = bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map { start in
        Coordinate(
          latE7: Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)),
          lngE7: Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4, as: Int32.self))
        )
      }
    }
    guard allSatisfy(PositionRules.isOnMap) else { throw StoreFailure.corrupt("the places of a ring") }
  }
}
