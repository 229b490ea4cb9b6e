// The capsules for everyone on a map: each of them where they are few, else the clusters of the map's cells. The tree
// of cells has the counts, so that no capsule is counted where there are many. Inside one read.
import GRDB
import Game

struct CapsuleMapSearch {
  let grid: PlaceGrid
  let db: Database

  /// The capsules in the box by identifier; nil if they are more than `limit`.
  func capsules(atMost limit: Int) throws -> [FoundCapsule]? {
    var found: [FoundCapsule] = []
    var cells = try db.rootCell().map { [$0] } ?? []
    // A cell inside of the box is only counted, until all are known to be few.
    var inside: [CountedCell] = []
    var count = 0
    while let next = cells.popLast() {
      guard grid.meets(next.cell) else { continue }
      if grid.contains(next.cell) {
        count += Int(next.sum.count)
        inside.append(next)
      } else if next.isSplit {
        // Those with the most capsules come first.
        cells += try db.parts(of: next.cell).sorted { $0.sum.count < $1.sum.count }
      } else {
        let capsules = try capsules(of: next.cell)
        found += capsules
        count += capsules.count
      }
      if count > limit { return nil }
    }
    for cell in inside { found += try capsules(of: cell.cell) }
    return found.sorted { $0.id < $1.id }
  }

  private func capsules(of cell: PlaceCell) throws -> [FoundCapsule] {
    try places(of: cell).compactMap { id, code in
      guard let place = code.place else { throw StoreFailure.corrupt("the place of a capsule") }
      let cursor = CapsuleCursor(key: 0, id: id)
      return grid.contains(place) ? FoundCapsule(cursor: cursor, isForEveryone: true, code: code) : nil
    }
  }

  /// The clusters of the grid's cells, by cell.
  func clusters() throws -> [CapsuleCluster] {
    var sums: [PlaceCell: PlaceSum] = [:]
    var cells = try db.rootCell().map { [$0] } ?? []
    while let next = cells.popLast() {
      guard grid.meets(next.cell) else { continue }
      if next.cell.level >= grid.level {
        sums[PlaceCell(PlaceCode(value: next.cell.first), level: grid.level), default: PlaceSum()] += next.sum
      } else if next.isSplit {
        cells += try db.parts(of: next.cell)
      } else {
        for (_, code) in try places(of: next.cell) {
          sums[PlaceCell(code, level: grid.level), default: PlaceSum()] += code
        }
      }
    }
    return sums.clusters(in: grid)
  }

  private func places(of cell: PlaceCell) throws -> [(CapsuleID, PlaceCode)] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT code, id FROM capsules WHERE is_for_everyone = 1 AND code BETWEEN ? AND ? ORDER BY code, id"
      ),
      arguments: [cell.first, cell.last]
    )
    var places: [(CapsuleID, PlaceCode)] = []
    while let row = try rows.next() { places.append((try row.id(1), try row.code(0))) }
    return places
  }
}

extension [ListedCapsule] {
  /// The set's capsules on a map: each of at most `limit`, or clusters.
  func map(_ grid: PlaceGrid, atMost limit: Int) throws -> (capsules: [FoundCapsule]?, clusters: [CapsuleCluster]) {
    let inside = try filter { listed in
      guard let place = listed.code.place else { throw StoreFailure.corrupt("the place of a capsule") }
      return grid.contains(place)
    }
    guard inside.count > limit else { return (try inside.map { try $0.found(from: nil) }.sorted { $0.id < $1.id }, []) }
    var sums: [PlaceCell: PlaceSum] = [:]
    for listed in self { sums[PlaceCell(listed.code, level: grid.level), default: PlaceSum()] += listed.code }
    return (nil, sums.clusters(in: grid))
  }
}
