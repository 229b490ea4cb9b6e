// Reads of capsules. On readers' queues.
import GRDB
import Game

/// A store whose capsules are read from an SQLite database.
package protocol CapsuleReading: CapsuleStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension SQLiteStore: CapsuleReading {}

extension CapsuleReading {
  package func capsule(
    _ id: CapsuleID,
    visibleTo player: PlayerID,
    _ completion: @escaping Completion<CapsuleSummary?>
  ) {
    read(completion) { db in try db.isVisible(id, to: player) ? try db.summary(of: id, for: player) : nil }
  }

  package func capsules(
    near place: Coordinate,
    withinM: Int,
    visibleTo player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[NearCapsule]>
  ) {
    read(completion) { db in
      let measureMax = SphereVector.measure(ofM: Int64(withinM))
      var near = try CapsuleViewer(player, on: db).seen(limit, after: nil) { limit, cursor in
        try CapsuleSearch(from: place, furthestFirst: false, after: cursor, measureMax: measureMax, on: db)
          .capsules(limit)
      }
      for scope in [CapsuleScope.own, .sharedWithMe] {
        near += try db.listed(scope, of: player).page(by: .nearest(place), after: nil, limit: limit)
          .filter { $0.cursor.key <= measureMax }
      }
      let nearest = Set(near).sorted { $0.cursor.isBefore($1.cursor, descending: false) }.prefix(max(0, limit))
      return try nearest.map { try NearCapsule($0) }
    }
  }

  package func capsules(_ lookups: [CapsuleLookup], _ completion: @escaping Completion<[[CapsuleSummary]]>) {
    read(completion) { db in try lookups.map { try db.summaries(of: $0) } }
  }

  package func capsules(
    _ scope: CapsuleScope,
    of player: PlayerID,
    by sort: CapsuleSort,
    after cursor: CapsuleCursor?,
    limit: Int,
    _ completion: @escaping Completion<[CapsuleSummary]>
  ) {
    read(completion) { db in
      let page =
        scope == .everyone
        ? try db.everyone(by: sort, after: cursor, limit: max(0, limit), seenBy: CapsuleViewer(player, on: db))
        : try db.listed(scope, of: player).page(by: sort, after: cursor, limit: limit)
      return try page.map { try db.summary(of: $0, for: player) }
    }
  }

  package func capsules(
    in map: MapBox,
    _ scope: CapsuleScope,
    of player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<CapsuleMap>
  ) {
    read(completion) { db in
      let grid = PlaceGrid(map)
      if scope == .everyone {
        let search = CapsuleMapSearch(grid: grid, db: db)
        guard let few = try search.capsules(atMost: limit) else { return .clusters(try search.clusters()) }
        let seen = try CapsuleViewer(player, on: db).sees(few)
        return .capsules(try seen.map { try db.summary(of: $0, for: player) })
      }
      let (few, clusters) = try db.listed(scope, of: player).map(grid, atMost: limit)
      return try few.map { .capsules(try $0.map { try db.summary(of: $0, for: player) }) } ?? .clusters(clusters)
    }
  }

  package func capsuleHighlights(
    _ scope: CapsuleScope,
    of player: PlayerID,
    at place: Coordinate,
    _ completion: @escaping Completion<CapsuleHighlights>
  ) {
    read(completion) { db in
      let best =
        scope == .everyone
        ? try db.highlightsOfEveryone(at: place, seenBy: CapsuleViewer(player, on: db))
        : try db.highlights(scope, of: player, at: place)
      var highlights = CapsuleHighlights()
      for (highlight, id) in best { highlights[keyPath: highlight] = try db.summary(of: id, for: player) }
      return highlights
    }
  }

  package func capsules(ownedBy player: PlayerID, _ completion: @escaping Completion<[Capsule]>) {
    read(completion) { db in
      try db.rows("\(Capsule.query) WHERE owner = ? ORDER BY buried_at, id", player).map(Capsule.init(row:))
    }
  }

  package func playersNamed(
    by capsule: CapsuleID,
    of owner: PlayerID,
    _ completion: @escaping Completion<[PlayerID]?>
  ) {
    read(completion) { db in
      guard try db.finds("SELECT 1 FROM capsules WHERE id = ? AND owner = ?", capsule, owner) else { return nil }
      return try db.playersNamed(by: capsule)
    }
  }

  package func capsuleCounts(_ completion: @escaping Completion<CapsuleCounts>) {
    read(completion) { db in
      guard let row = try db.row("SELECT capsules_count, open_count, byte_count FROM capsule_totals WHERE number = 0")
      else { throw StoreFailure.corrupt("the totals of capsules") }
      return CapsuleCounts(capsules: try row.value(0), openings: try row.value(1), bytes: try row.value(2))
    }
  }
}
