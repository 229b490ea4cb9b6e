// How lands and runs around them are written.
import GRDB
import Game

extension BatchWriting {
  /// A run that captured its land; of players or lands that are gone nothing is kept.
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
      INSERT INTO land_bests (land, player, time_ms, captured_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (land, player) DO UPDATE SET time_ms = excluded.time_ms, captured_at = excluded.captured_at
      WHERE excluded.time_ms < land_bests.time_ms
      """,
      run.land,
      run.player,
      timeMs,
      at
    )
  }
}

extension SQLiteStore {
  package func addLands(_ lands: [Land]) throws(StoreFailure) -> [Bool] {
    do {
      return try pool.writeWithoutTransaction { db in
        try Self.transaction(on: db) { try lands.map { try Self.add($0, on: db) } }
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  private static func add(_ land: Land, on db: Database) throws -> Bool {
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

/// The box around a land.
struct LandBox {
  let lats: ClosedRange<Int64>
  /// Around the longitude of the first vertex: may go beyond ±180°.
  let lngs: ClosedRange<Int64>

  private static let halfTurnE7: Int64 = 1_800_000_000

  init(of land: Land) {
    let first = Int64(land.vertices[0].lngE7)
    var (low, high) = (land.vertices[0].latE7, land.vertices[0].latE7)
    var (west, east) = (first, first)
    for vertex in land.vertices {
      var lng = Int64(vertex.lngE7)
      if lng - first > Self.halfTurnE7 { lng -= 2 * Self.halfTurnE7 }
      if first - lng > Self.halfTurnE7 { lng += 2 * Self.halfTurnE7 }
      (low, high) = (min(low, vertex.latE7), max(high, vertex.latE7))
      (west, east) = (min(west, lng), max(east, lng))
    }
    lats = Int64(low)...Int64(high)
    lngs = west...east
  }

  var middle: Coordinate {
    var lng = (lngs.lowerBound + lngs.upperBound) / 2
    if lng > Self.halfTurnE7 { lng -= 2 * Self.halfTurnE7 }
    if lng < -Self.halfTurnE7 { lng += 2 * Self.halfTurnE7 }
    return Coordinate(latE7: Int32((lats.lowerBound + lats.upperBound) / 2), lngE7: Int32(lng))
  }

  /// Longitudes that may go beyond ±180° as one or two ranges that don't.
  static func parts(_ lngs: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    let turn = 2 * halfTurnE7
    if lngs.upperBound > halfTurnE7 {
      return [lngs.lowerBound...halfTurnE7, -halfTurnE7...lngs.upperBound - turn]
    }
    if lngs.lowerBound < -halfTurnE7 {
      return [-halfTurnE7...lngs.upperBound, lngs.lowerBound + turn...halfTurnE7]
    }
    return [lngs]
  }
}

extension Land {
  /// Each vertex as eight bytes: latitude, longitude, big-endian.
  var vertexBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * vertices.count)
    for vertex in vertices {
      withUnsafeBytes(of: vertex.latE7.bigEndian) { bytes += $0 }
      withUnsafeBytes(of: vertex.lngE7.bigEndian) { bytes += $0 }
    }
    return bytes
  }

  /// A row of id, name and vertices.
  init(row: Row) throws {
    let bytes = try row.value(2, Blob.self).bytes
    guard bytes.count % 8 == 0, Land.verticesRange.contains(bytes.count / 8) else {
      throw StoreFailure.corrupt("the vertices of a land")
    }
    var vertices: ContiguousArray<Coordinate> = []
    vertices.reserveCapacity(bytes.count / 8)
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 8) {
        vertices.append(
          Coordinate(
            latE7: Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)),
            lngE7: Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4, as: Int32.self))
          )
        )
      }
    }
    guard vertices.allSatisfy(PositionRules.isOnMap) else { throw StoreFailure.corrupt("the vertices of a land") }
    self.init(id: try row.value(0), name: try row.value(1), vertices: vertices)
  }
}
