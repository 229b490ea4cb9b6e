// Reads of travel plans. On readers' queues.
import GRDB
import Game

/// A store whose plans are read from an SQLite database.
package protocol PlanReading: PlanStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension SQLiteStore: PlanReading {}

extension PlanReading {
  package func plan(_ id: PlanID, for player: PlayerID, _ completion: @escaping Completion<OpenedPlan?>) {
    read(completion) { db in
      guard let stored = try db.storedPlan(id) else { return nil }
      switch try db.access(of: player, to: stored) {
      case .author, .reader: return try db.opened(stored, by: player)
      case .blocked, .none: return nil
      }
    }
  }

  package func plans(
    of author: PlayerID,
    before number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<PlanPage>
  ) {
    read(completion) { db in
      let stored = try db.rows(
        "\(StoredPlan.query) WHERE author = ? AND plans.number < ? ORDER BY plans.number DESC LIMIT ?",
        author,
        number ?? .max,
        limit + 1
      ).map(StoredPlan.init(row:))
      let page = stored.prefix(limit)
      return PlanPage(
        plans: try page.map { try db.seen($0, by: author) },
        next: stored.count > limit ? page.last?.number : nil
      )
    }
  }
}
