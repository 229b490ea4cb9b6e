// The rows of capsules as the contract's values. Inside a read, or inside a commit.
import GRDB
import Game

extension Capsule {
  static let query = """
    SELECT id, owner, title, text, pictures, memory_day, code, buried_at, edited_at,
      (is_for_everyone = 1 OR hidden = 2), open_count, hidden
    FROM capsules JOIN capsule_texts ON capsule_texts.capsule = capsules.id
    """

  init(row: Row) throws {
    self.init(
      id: try row.value(0),
      owner: try row.value(1),
      title: try row.value(2),
      text: try row.value(3),
      pictures: try [MediaID](bytes: row.value(4, Blob.self).bytes),
      memoryDay: try row.value(5),
      place: try row.place(6),
      buriedAt: try row.value(7),
      editedAt: try row.value(8),
      isForEveryone: try row.value(9),
      openCount: try row.value(10),
      isHidden: try row.number(11) > 0
    )
  }
}

// The first argument of the query is the player who sees the capsules.
extension CapsuleSummary {
  static let query = """
    SELECT id, owner, title, memory_day, code, buried_at, (is_for_everyone = 1 OR hidden = 2), open_count,
      EXISTS (SELECT 1 FROM capsule_openings WHERE player = ? AND capsule_openings.capsule = capsules.id), hidden
    FROM capsules
    """

  fileprivate init(row: Row) throws {
    self.init(
      id: try row.id(0),
      owner: try row.id(1),
      title: try row.value(2),
      memoryDay: try row.number(3),
      place: try row.place(4),
      buriedAt: Instant(milliseconds: try row.number(5)),
      isForEveryone: try row.number(6) == 1,
      openCount: try row.number(7),
      hasOpened: try row.number(8) == 1,
      isHidden: try row.number(9) > 0
    )
  }
}

extension NearCapsule {
  init(_ found: FoundCapsule) throws {
    guard let place = found.code.place else { throw StoreFailure.corrupt("the place of a capsule") }
    self.init(number: found.id.number, place: place)
  }
}

/// A capsule that a search has found, with all that finds its row.
struct FoundCapsule: Hashable {
  /// Its place in the search's order.
  let cursor: CapsuleCursor
  /// As its row lies: a hidden capsule is nobody's but its owner's.
  let isForEveryone: Bool
  let code: PlaceCode

  var id: CapsuleID { cursor.id }
}

extension Database {
  /// A capsule as a player sees it; nil for an unknown one. The caller knows that the player may see it.
  func summary(of capsule: CapsuleID, for player: PlayerID) throws -> CapsuleSummary? {
    guard let row = try row("SELECT is_for_everyone, code FROM capsules WHERE id = ?", capsule) else { return nil }
    let cursor = CapsuleCursor(key: 0, id: capsule)
    return try summary(
      of: FoundCapsule(cursor: cursor, isForEveryone: try row.value(0), code: try row.code(1)),
      for: player
    )
  }

  func summary(of found: FoundCapsule, for player: PlayerID) throws -> CapsuleSummary {
    let rows = try Row.fetchCursor(
      cachedStatement(sql: "\(CapsuleSummary.query) WHERE is_for_everyone = ? AND code = ? AND id = ?"),
      arguments: [player, found.isForEveryone ? 1 : 0, found.code.value, found.id]
    )
    guard let row = try rows.next() else {
      throw StoreFailure.corrupt("an index of capsules names one that is not there")
    }
    return try CapsuleSummary(row: row)
  }

  /// The capsules of a lookup, by identifier.
  func summaries(of lookup: CapsuleLookup) throws -> [CapsuleSummary] {
    let ids = CapsuleID.all(with: lookup.capsule.number)
    let rows = try Row.fetchCursor(
      cachedStatement(
        sql: """
          \(CapsuleSummary.query)
          WHERE is_for_everyone IN (0, 1) AND code = ? AND id BETWEEN ? AND ?
            AND (owner = ? OR hidden = 0
              AND (is_for_everyone = 1
                OR EXISTS (SELECT 1 FROM capsule_shares WHERE player = ? AND capsule = capsules.id))
              AND NOT EXISTS (SELECT 1 FROM blocks WHERE player = ? AND blocked = capsules.owner)
              AND NOT EXISTS (SELECT 1 FROM reports WHERE reporter = ? AND kind = 4 AND subject = capsules.id))
          """
      ),
      arguments: [
        lookup.player, PlaceCode(lookup.capsule.place).value, ids.lowerBound, ids.upperBound, lookup.player,
        lookup.player, lookup.player, lookup.player,
      ]
    )
    var found: [CapsuleSummary] = []
    while let row = try rows.next() { found.append(try CapsuleSummary(row: row)) }
    // Mostly there is one: no order of the database's, which would cost each lookup.
    return found.sorted { $0.id < $1.id }
  }

  func isVisible(_ capsule: CapsuleID, to player: PlayerID) throws -> Bool {
    try finds(
      """
      SELECT 1 FROM capsules WHERE id = ? AND (owner = ? OR hidden = 0
        AND (is_for_everyone = 1 OR EXISTS (SELECT 1 FROM capsule_shares WHERE player = ? AND capsule = capsules.id))
        AND NOT EXISTS (SELECT 1 FROM blocks WHERE player = ? AND blocked = capsules.owner)
        AND NOT EXISTS (SELECT 1 FROM reports WHERE reporter = ? AND kind = 4 AND subject = capsules.id))
      """,
      capsule,
      player,
      player,
      player,
      player
    )
  }
}

// A search reads hundreds of rows. These are faster than `value`, which would also refuse a text that looks like a
// number.
extension Row {
  func number(_ index: Int) throws -> Int64 { try decode(Int64.self, atIndex: index) }

  func code(_ index: Int) throws -> PlaceCode { PlaceCode(value: try number(index)) }

  func id<ID: WideID>(_ index: Int) throws -> ID {
    try withUnsafeData(atIndex: index) { bytes in
      guard let bytes, bytes.count == 16 else { throw StoreFailure.corrupt("an identifier") }
      return ID(bytes.withUnsafeBytes { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
    }
  }

  func place(_ index: Int) throws -> Coordinate {
    guard let place = try code(index).place else { throw StoreFailure.corrupt("the place of a capsule") }
    return place
  }
}

extension [MediaID] {
  /// Each identifier as 16 bytes.
  var bytes: [UInt8] { flatMap { Blob($0.value).bytes } }

  init(bytes: [UInt8]) throws {
    guard bytes.count % 16 == 0 else { throw StoreFailure.corrupt("the pictures of a capsule") }
    self = stride(from: 0, to: bytes.count, by: 16).compactMap { start in
      Blob(Array<UInt8>(bytes[start..<start + 16])).identifier.map { MediaID($0) }
    }
  }
}
