// The search for the lands on a map, by their boxes, in pages. Runs inside one read.
// Decisions: 039 (docs/decisions).
import GRDB
import Game

struct MapSearch {
  private let map: MapBox
  private let db: Database

  init(_ map: MapBox, on db: Database) {
    self.map = map
    self.db = db
  }

  /// Up to `limit` lands behind the land `last`, the tallest first.
  func lands(after last: LandID?, limit: Int) throws -> [FoundLand] {
    // Behind no land: every land is lower than that.
    var place: (heightE7: Int64, number: Int64) = (.max, .max)
    if let last {
      let row = try db.row(
        """
        SELECT high_lat - low_lat, lands.number FROM lands JOIN land_boxes ON land_boxes.number = 2 * lands.number
        WHERE lands.id = ?
        """,
        last
      )
      guard let row else { return [] }
      place = (try row.value(0), try row.value(1))
    }
    // The parts of a land on both sides of the antimeridian are equally tall.
    let (first, second) = (map.lngs[0], map.lngs.last ?? map.lngs[0])
    let rows = try db.rows(
      """
      SELECT land FROM (
        SELECT number / 2 AS land, high_lat - low_lat AS height FROM land_boxes
        WHERE high_lat >= ? AND low_lat <= ? AND high_lng >= ? AND low_lng <= ?
        UNION
        SELECT number / 2 AS land, high_lat - low_lat AS height FROM land_boxes
        WHERE high_lat >= ? AND low_lat <= ? AND high_lng >= ? AND low_lng <= ?
      ) AS met
      WHERE (height, land) < (?, ?) ORDER BY height DESC, land DESC LIMIT ?
      """,
      map.lats.lowerBound,
      map.lats.upperBound,
      first.lowerBound,
      first.upperBound,
      map.lats.lowerBound,
      map.lats.upperBound,
      second.lowerBound,
      second.upperBound,
      place.heightE7,
      place.number,
      limit
    )
    return try rows.map { try FoundLand(number: $0.value(0), on: db) }
  }
}

extension FoundLand {
  init(number: Int64, on db: Database) throws {
    // The row is read in place, without a copy.
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT id, name, vertices, length_mm,
            (SELECT time_ms FROM ranked_runs WHERE period = 0 AND ranked_runs.land = lands.id ORDER BY time_ms LIMIT 1)
          FROM lands WHERE number = ?
          """
      ),
      arguments: [number]
    )
    guard let row = try rows.next() else { throw StoreFailure.corrupt("a box around no land") }
    self.init(land: try Land(row: row), lengthMm: try row.value(3), bestTimeMs: try row.value(4))
  }
}
