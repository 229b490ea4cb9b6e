// What a player does not see of the capsules for everyone: those of players whom they have blocked, and those that they
// have reported. Hidden ones lie apart from them all. Inside one read.
// Decisions: 121 (docs/decisions).
import GRDB
import Game

struct CapsuleViewer {
  private static let readMin = 256

  let db: Database
  private let player: PlayerID
  private let blocked: Set<PlayerID>
  private let reported: Set<ReportSubject>

  init(_ player: PlayerID, on db: Database) throws {
    self.db = db
    self.player = player
    blocked = Set(try db.rows("SELECT blocked FROM blocks WHERE player = ?", player).map { try $0.id(0) })
    reported = try db.reportedSubjects(by: player).filter { $0.kind == .capsule }
  }

  private var seesAll: Bool { blocked.isEmpty && reported.isEmpty }

  /// Up to `limit` of those capsules that the player sees, from `read`, which reads so many behind a place. A player
  /// can pass over no more than the capsules of ten players and their own reports.
  func seen(
    _ limit: Int,
    after cursor: CapsuleCursor?,
    _ read: (_ limit: Int, _ after: CapsuleCursor?) throws -> [FoundCapsule]
  ) throws -> [FoundCapsule] {
    guard !seesAll else { return try read(limit, cursor) }
    var found: [FoundCapsule] = []
    var place = cursor
    while found.count < limit {
      // Each read begins its search anew, so that it reads many: much may be passed over.
      let count = max(limit - found.count, Self.readMin)
      let more = try read(count, place)
      found += try more.filter { try sees($0) }
      guard more.count == count else { break }
      place = more.last?.cursor
    }
    return Array(found.prefix(limit))
  }

  /// The first capsule of rows of an identifier and an owner that the player sees.
  func first(_ rows: RowCursor) throws -> CapsuleID? {
    while let row = try rows.next() {
      let (id, owner): (CapsuleID, PlayerID) = (try row.id(0), try row.id(1))
      if sees(id, of: owner) { return id }
    }
    return nil
  }

  func sees(_ found: [FoundCapsule]) throws -> [FoundCapsule] {
    seesAll ? found : try found.filter { try sees($0) }
  }

  private func sees(_ found: FoundCapsule) throws -> Bool {
    guard !reported.contains(.capsule(found.id)) else { return false }
    guard !blocked.isEmpty else { return true }
    let row = try db.row(
      "SELECT owner FROM capsules WHERE is_for_everyone = 1 AND code = ? AND id = ?",
      found.code.value,
      found.id
    )
    guard let row else { throw StoreFailure.corrupt("an index of capsules names one that is not there") }
    return sees(found.id, of: try row.id(0))
  }

  private func sees(_ id: CapsuleID, of owner: PlayerID) -> Bool {
    owner == player || (!blocked.contains(owner) && !reported.contains(.capsule(id)))
  }
}
