// Lists in pages: the page that a request asks for, and the rows that make a page.
//
// Values, and checks on the shard's thread.
import Game
import MadangProtocol

/// A page of rows, out of one more than it may have: only so is it known whether there are more.
package struct Page<Row> {
  package let rows: ArraySlice<Row>
  /// Where the next page goes on; nil when this is the last one.
  package let lastOfMore: Row?

  /// `rows` were asked for with a limit of one more.
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
  /// How many rows a request asks for, and from behind which cursor on, as `read` reads it; nil, and the request is refused,
  /// for more or less than it may have, and for what no answer had as its cursor.
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

  /// How many rows a request asks for; nil, and the request is refused, for more or less than it may.
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
  /// Counts a question that costs the server more than others. False, and the request is refused, when the player or the
  /// address has asked too many, or the connection has yet to take what was sent before.
  package func payForQuery(_ request: PlayerRequest) -> Bool {
    guard !request.session.connection.isBehind else {
      request.refuse(.rateLimited, "take what was sent before", retryAfterMs: 1_000)
      return false
    }
    let wait = budgets.pay(
      Charge(budget: .queries, payer: .player(request.player)),
      Charge(budget: .queriesOfAddress, payer: .address(request.session.connection.address.ip)),
      at: core.now
    )
    guard let wait else { return true }
    request.refuse(.rateLimited, retryAfterMs: wait)
    return false
  }
}
