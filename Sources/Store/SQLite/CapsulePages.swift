// Pages and highlights of the capsules for everyone, each by the index of its order; and highlights of small sets.
// Inside one read.
import GRDB
import Game

typealias CapsuleHighlight = WritableKeyPath<CapsuleHighlights, CapsuleSummary?> & Sendable

extension Database {
  /// Up to `limit` of the capsules for everyone behind the cursor that a player sees.
  func everyone(
    by sort: CapsuleSort,
    after cursor: CapsuleCursor?,
    limit: Int,
    seenBy viewer: CapsuleViewer
  ) throws -> [FoundCapsule] {
    try viewer.seen(limit, after: cursor) { try everyone(by: sort, after: $1, limit: $0) }
  }

  /// Up to `limit` of the capsules for everyone behind the cursor.
  private func everyone(by sort: CapsuleSort, after cursor: CapsuleCursor?, limit: Int) throws -> [FoundCapsule] {
    switch sort {
    case .latest:
      return try rows(
        """
        SELECT memory_day, id, code FROM capsules WHERE is_for_everyone = 1 AND (memory_day, id) < (?, ?)
        ORDER BY memory_day DESC, id DESC LIMIT ?
        """,
        cursor?.key ?? Int64.max,
        cursor?.id ?? CapsuleID(.max),
        limit
      ).map(FoundCapsule.init(row:))
    case .oldest:
      return try rows(
        """
        SELECT memory_day, id, code FROM capsules WHERE is_for_everyone = 1 AND (memory_day, id) > (?, ?)
        ORDER BY memory_day, id LIMIT ?
        """,
        cursor?.key ?? Int64.min,
        cursor?.id ?? CapsuleID(0),
        limit
      ).map(FoundCapsule.init(row:))
    case .nearest(let place):
      return try CapsuleSearch(from: place, furthestFirst: false, after: cursor, on: self).capsules(limit)
    case .furthest(let place):
      return try CapsuleSearch(from: place, furthestFirst: true, after: cursor, on: self).capsules(limit)
    }
  }

  /// The highlights of the capsules for everyone that a player sees.
  func highlightsOfEveryone(at place: Coordinate, seenBy viewer: CapsuleViewer) throws -> [(
    CapsuleHighlight, CapsuleID
  )] {
    func first(by sort: CapsuleSort) throws -> CapsuleID? {
      try everyone(by: sort, after: nil, limit: 1, seenBy: viewer).first?.id
    }
    func first(_ statement: Statement) throws -> CapsuleID? { try viewer.first(Row.fetchCursor(statement)) }
    let firsts: [(CapsuleHighlight, CapsuleID?)] = [
      (\.nearest, try first(by: .nearest(place))),
      (\.furthest, try first(by: .furthest(place))),
      (\.newest, try first(by: .latest)),
      (\.oldest, try first(by: .oldest)),
      (
        \.closedShortest,
        try first(
          cachedStatement(
            sql: "SELECT id, owner FROM capsules WHERE is_for_everyone = 1 ORDER BY buried_at DESC, id DESC"
          )
        )
      ),
      (
        \.closedLongest,
        try first(
          cachedStatement(sql: "SELECT id, owner FROM capsules WHERE is_for_everyone = 1 ORDER BY buried_at, id")
        )
      ),
      (
        \.leastOpened,
        try first(
          cachedStatement(sql: "SELECT id, owner FROM capsules WHERE is_for_everyone = 1 ORDER BY open_count, id")
        )
      ),
      (
        \.mostOpened,
        try first(
          cachedStatement(
            sql: "SELECT id, owner FROM capsules WHERE is_for_everyone = 1 ORDER BY open_count DESC, id DESC"
          )
        )
      ),
    ]
    return firsts.compactMap { highlight, id in id.map { (highlight, $0) } }
  }
}

extension Database {
  /// The highlights of a scope that is not everyone's.
  func highlights(_ scope: CapsuleScope, of player: PlayerID, at place: Coordinate) throws -> [(
    CapsuleHighlight, CapsuleID
  )] {
    let listed = try listed(scope, of: player)
    let (buried, opened) = try listedKeys(scope, of: player)
    let origin = SphereVector(place)
    func ends(
      _ least: CapsuleHighlight,
      _ most: CapsuleHighlight,
      _ keys: [CapsuleCursor]
    ) -> [(CapsuleHighlight, CapsuleID)] {
      let first = keys.min { $0.isBefore($1, descending: false) }
      let last = keys.max { $0.isBefore($1, descending: false) }
      return [(least, first), (most, last)].compactMap { highlight, key in key.map { (highlight, $0.id) } }
    }
    return try ends(\.nearest, \.furthest, listed.map { try $0.key(from: origin) })
      + ends(\.oldest, \.newest, listed.map { try $0.key(from: nil) })
      + ends(\.closedLongest, \.closedShortest, buried)
      + ends(\.leastOpened, \.mostOpened, opened)
  }
}

extension FoundCapsule {
  /// Takes a row of a key, the identifier and the place of a capsule for everyone.
  fileprivate init(row: Row) throws {
    let cursor = CapsuleCursor(key: try row.number(0), id: try row.id(1))
    self.init(cursor: cursor, isForEveryone: true, code: try row.code(2))
  }
}
