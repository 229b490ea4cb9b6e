// Lists in pages: the requested page, and the rows that make a page.
//
// Values, and checks on the shard's queue.
import MadangProtocol

/// A page of rows, made from one row more than its limit: only that row tells whether there are more.
package struct Page<Row> {
  package let rows: ArraySlice<Row>
  /// The row where the next page goes on; nil on the last page.
  package let lastOfMore: Row?

  /// A page from `rows`, which were read with a limit of one more.
  package init(_ rows: [Row], limit: Int) {
    self.rows = rows.prefix(limit)
    lastOfMore = rows.count > limit ? self.rows.last : nil
  }
}

/// A request for a page of a list.
package protocol PageRequest {
  var hasLimit: Bool { get }
  var limit: UInt32 { get }
  /// Empty for the first page.
  var cursor: String { get }
}

extension PlayerRequest {
  /// The number of rows in a request, and its cursor as `read` reads it. Nil, and the request is refused, for a number
  /// out of range or a cursor that no answer had.
  package func page<Cursor>(
    of wire: some PageRequest,
    in range: ClosedRange<Int>,
    default: Int,
    _ read: (String) -> Cursor?
  ) -> (limit: Int, cursor: Cursor?)? {
    let asked = wire.hasLimit ? wire.limit : nil
    guard let limit = rows(asked, "limit", in: range, default: `default`) else { return nil }
    guard !wire.cursor.isEmpty else { return (limit, nil) }
    guard wire.cursor.utf8.count <= Limits.cursorBytesMax, let cursor = read(wire.cursor) else {
      refuseCursor()
      return nil
    }
    return (limit, cursor)
  }

  package func refuseCursor() {
    refuse(.outOfRange, "cursor: the nextCursor of an answer")
  }

  /// The number of rows in a request; nil, and the request is refused, when it is out of range.
  package func rows(
    _ asked: UInt32?,
    _ field: String,
    in range: ClosedRange<Int>,
    default: Int
  ) -> Int? {
    let rows = asked.map { Int($0) } ?? `default`
    guard range.contains(rows) else {
      refuse(.outOfRange, "\(field): \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return rows
  }
}

extension ShardGateway {
  /// Counts a change of a player's against the player's budget and the address's. False, and the request is refused,
  /// when one of them is used up, or nothing can be written.
  package func payForChange(_ request: PlayerRequest, _ budget: Budget, ofAddress: Budget) -> Bool {
    guard refuseWithoutJournal(request) else { return false }
    let wait = budgets.pay(
      Charge(budget: budget, payer: .player(request.player)),
      Charge(budget: ofAddress, payer: .address(request.session.connection.address.ip)),
      at: core.now
    )
    guard let wait else { return true }
    request.refuse(.rateLimited, retryAfterMs: wait)
    return false
  }

  /// Counts queries that cost the server more than other requests. False, and the request is refused, when the player
  /// or the address has asked too often, or the connection is behind with earlier messages.
  package func payForQuery(_ request: PlayerRequest, _ queries: Int = 1) -> Bool {
    guard !request.session.connection.isBehind else {
      request.refuse(.rateLimited, "take what was sent before", retryAfterMs: 1_000)
      return false
    }
    let wait = budgets.pay(
      Charge(budget: .queries, payer: .player(request.player), units: Int64(queries)),
      Charge(
        budget: .queriesOfAddress,
        payer: .address(request.session.connection.address.ip),
        units: Int64(queries)
      ),
      at: core.now
    )
    guard let wait else { return true }
    request.refuse(.rateLimited, retryAfterMs: wait)
    return false
  }
}
