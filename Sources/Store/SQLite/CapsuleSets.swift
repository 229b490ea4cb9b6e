// A player's own capsules, and those that name the player: at most some thousand each, so they are read as a whole and
// ordered in memory. Inside one read.
import GRDB
import Game

/// One capsule of such a set: all that most orders need.
struct ListedCapsule {
  let id: CapsuleID
  let memoryDay: Int64
  let code: PlaceCode
  let isForEveryone: Bool

  /// The capsule's place in a sort, from a place for the sorts that need one.
  func found(from origin: SphereVector?) throws -> FoundCapsule {
    FoundCapsule(cursor: try key(from: origin), isForEveryone: isForEveryone, code: code)
  }

  func key(from origin: SphereVector?) throws -> CapsuleCursor {
    guard let origin else { return CapsuleCursor(key: memoryDay, id: id) }
    guard let place = code.place else { throw StoreFailure.corrupt("the place of a capsule") }
    return CapsuleCursor(key: origin.measure(to: SphereVector(place)), id: id)
  }
}

extension Database {
  /// The capsules of a scope that is not everyone's.
  func listed(_ scope: CapsuleScope, of player: PlayerID) throws -> [ListedCapsule] {
    let statement: Statement
    switch scope {
    case .own:
      statement = try cachedStatement(sql: "SELECT id, memory_day, code, is_for_everyone FROM capsules WHERE owner = ?")
    case .sharedWithMe:
      statement = try cachedStatement(
        sql: """
          SELECT id, memory_day, code, is_for_everyone FROM capsule_shares
          JOIN capsules ON capsules.id = capsule_shares.capsule WHERE player = ? AND hidden = 0
            AND NOT EXISTS (
              SELECT 1 FROM reports WHERE reporter = capsule_shares.player AND kind = 4 AND subject = capsules.id)
          """
      )
    case .everyone: preconditionFailure("the capsules for everyone may be any number")
    }
    let rows = try Row.fetchCursor(statement, arguments: [player])
    var listed: [ListedCapsule] = []
    while let row = try rows.next() {
      listed.append(
        ListedCapsule(
          id: try row.id(0),
          memoryDay: try row.number(1),
          code: try row.code(2),
          isForEveryone: try row.number(3) == 1
        )
      )
    }
    return listed
  }

  /// The moments of burying and the open counts of such a scope, as keys.
  func listedKeys(
    _ scope: CapsuleScope,
    of player: PlayerID
  ) throws -> (buried: [CapsuleCursor], opened: [CapsuleCursor]) {
    let statement: Statement
    switch scope {
    case .own:
      statement = try cachedStatement(sql: "SELECT id, buried_at, open_count FROM capsules WHERE owner = ?")
    case .sharedWithMe:
      statement = try cachedStatement(
        sql: """
          SELECT id, buried_at, open_count FROM capsule_shares
          JOIN capsules ON capsules.id = capsule_shares.capsule WHERE player = ? AND hidden = 0
            AND NOT EXISTS (
              SELECT 1 FROM reports WHERE reporter = capsule_shares.player AND kind = 4 AND subject = capsules.id)
          """
      )
    case .everyone: preconditionFailure("the capsules for everyone may be any number")
    }
    let rows = try Row.fetchCursor(statement, arguments: [player])
    var (buried, opened): ([CapsuleCursor], [CapsuleCursor]) = ([], [])
    while let row = try rows.next() {
      let id: CapsuleID = try row.id(0)
      buried.append(CapsuleCursor(key: try row.number(1), id: id))
      opened.append(CapsuleCursor(key: try row.number(2), id: id))
    }
    return (buried, opened)
  }
}

extension [ListedCapsule] {
  /// Up to `limit` behind the cursor, in a sort.
  func page(by sort: CapsuleSort, after cursor: CapsuleCursor?, limit: Int) throws -> [FoundCapsule] {
    let origin: SphereVector? =
      switch sort {
      case .latest, .oldest: nil
      case .nearest(let place), .furthest(let place): SphereVector(place)
      }
    let all = try map { try $0.found(from: origin) }
    let behind = all.filter { found in
      cursor.map { $0.isBefore(found.cursor, descending: sort.isDescending) } ?? true
    }
    let order = behind.sorted { $0.cursor.isBefore($1.cursor, descending: sort.isDescending) }
    return Array<FoundCapsule>(order.prefix(Swift.max(0, limit)))
  }
}
