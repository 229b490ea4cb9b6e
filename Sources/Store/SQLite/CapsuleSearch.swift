// The search for the nearest and the furthest of the capsules for everyone, of any number of them, best first: cells of
// the tree and capsules wait in one heap by their distance, and a cell is replaced by what it holds when no capsule can
// come before. Inside one read.
// Decisions: 112 (docs/decisions).
import GRDB
import Game

/// A search in one order from one place.
struct CapsuleSearch {
  /// A cell, or a capsule, in the order of the search.
  private struct Waiting: Comparable {
    /// The measure of a capsule, or the best one that the cell may have; negative where the furthest is the best.
    let key: Int64
    /// Nil for a cell, which comes before the capsules at the same distance.
    let capsule: CapsuleID?
    let code: PlaceCode
    let cell: CountedCell?
    let isDescending: Bool

    static func < (left: Waiting, right: Waiting) -> Bool {
      if left.key != right.key { return left.key < right.key }
      guard let one = left.capsule else { return right.capsule != nil }
      guard let other = right.capsule else { return false }
      return left.isDescending ? one > other : one < other
    }

    static func == (left: Waiting, right: Waiting) -> Bool { !(left < right) && !(right < left) }
  }

  private let isDescending: Bool
  private let origin: SphereVector
  /// Bounds from below: of the place, and of the other side of the Earth.
  private let near: CellDistance
  private let antipodal: CellDistance
  private let cursor: CapsuleCursor?
  private let keyMax: Int64
  private let db: Database

  /// A search for the capsules behind the cursor, at most `measureMax` away.
  init(
    from place: Coordinate,
    furthestFirst: Bool,
    after cursor: CapsuleCursor?,
    measureMax: Int64 = .max,
    on db: Database
  ) {
    isDescending = furthestFirst
    origin = SphereVector(place)
    near = CellDistance(from: place)
    antipodal = CellDistance(from: CellDistance.antipode(of: place))
    self.cursor = cursor
    keyMax = measureMax
    self.db = db
  }

  /// Up to `limit` capsules, the best first, each with its measure.
  func capsules(_ limit: Int) throws -> [FoundCapsule] {
    guard limit > 0, let root = try db.rootCell() else { return [] }
    var heap = Heap<Waiting>()
    offer(root, to: &heap)
    var found: [FoundCapsule] = []
    while found.count < limit, let next = heap.popMin() {
      if let capsule = next.capsule {
        let place = CapsuleCursor(key: isDescending ? -next.key : next.key, id: capsule)
        found.append(FoundCapsule(cursor: place, isForEveryone: true, code: next.code))
      } else if let cell = next.cell {
        if cell.isSplit {
          for part in try db.parts(of: cell.cell) { offer(part, to: &heap) }
        } else {
          try offerCapsules(of: cell.cell, limit: limit - found.count, to: &heap)
        }
      }
    }
    return found
  }

  private func offer(_ cell: CountedCell, to heap: inout Heap<Waiting>) {
    let most: () -> Int64 = { CellDistance.far - antipodal.least(to: cell.cell) }
    let key = isDescending ? -most() : near.least(to: cell.cell)
    guard key <= keyMax else { return }
    if let cursor {
      // All of its capsules may lie before the cursor.
      guard isDescending ? near.least(to: cell.cell) <= cursor.key : most() >= cursor.key else { return }
    }
    let code = PlaceCode(value: cell.cell.first)
    heap.insert(Waiting(key: key, capsule: nil, code: code, cell: cell, isDescending: isDescending))
  }

  private func offerCapsules(of cell: PlaceCell, limit: Int, to heap: inout Heap<Waiting>) throws {
    // Any number of capsules may lie at one place.
    guard cell.level < PlaceCell.levelMax else { return try offerCapsules(at: cell, limit: limit, to: &heap) }
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT code, id FROM capsules WHERE is_for_everyone = 1 AND code BETWEEN ? AND ? ORDER BY code, id"
      ),
      arguments: [cell.first, cell.last]
    )
    while let row = try rows.next() {
      let measure = origin.measure(to: SphereVector(try row.place(0)))
      let place = CapsuleCursor(key: measure, id: try row.id(1))
      guard cursor.map({ $0.isBefore(place, descending: isDescending) }) ?? true else { continue }
      offer(place, at: try row.code(0), to: &heap)
    }
  }

  private func offerCapsules(at cell: PlaceCell, limit: Int, to heap: inout Heap<Waiting>) throws {
    guard let place = PlaceCode(value: cell.first).place else { throw StoreFailure.corrupt("the place of a cell") }
    let measure = origin.measure(to: SphereVector(place))
    if let cursor, cursor.key != measure {
      let first = CapsuleCursor(key: measure, id: cursor.id)
      guard cursor.isBefore(first, descending: isDescending) else { return }
    }
    let last = cursor.flatMap { $0.key == measure ? $0.id : nil }
    let rows =
      switch (last, isDescending) {
      case (nil, true):
        try db.rows(
          "SELECT id FROM capsules WHERE is_for_everyone = 1 AND code = ? ORDER BY id DESC LIMIT ?",
          cell.first,
          limit
        )
      case (nil, false):
        try db.rows(
          "SELECT id FROM capsules WHERE is_for_everyone = 1 AND code = ? ORDER BY id LIMIT ?",
          cell.first,
          limit
        )
      case (let last?, true):
        try db.rows(
          "SELECT id FROM capsules WHERE is_for_everyone = 1 AND code = ? AND id < ? ORDER BY id DESC LIMIT ?",
          cell.first,
          last,
          limit
        )
      case (let last?, false):
        try db.rows(
          "SELECT id FROM capsules WHERE is_for_everyone = 1 AND code = ? AND id > ? ORDER BY id LIMIT ?",
          cell.first,
          last,
          limit
        )
      }
    for row in rows {
      offer(CapsuleCursor(key: measure, id: try row.id(0)), at: PlaceCode(value: cell.first), to: &heap)
    }
  }

  private func offer(_ place: CapsuleCursor, at code: PlaceCode, to heap: inout Heap<Waiting>) {
    let key = isDescending ? -place.key : place.key
    guard key <= keyMax else { return }
    heap.insert(Waiting(key: key, capsule: place.id, code: code, cell: nil, isDescending: isDescending))
  }
}
