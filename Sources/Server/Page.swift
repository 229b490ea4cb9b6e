// Lists that are told in pages: what a request asks for, and what a page is made of.
//
// Values, and checks on the shard's thread.
import Game
import MadangProtocol

/// A page of rows, out of one more than it may have: only so is it known whether there are more.
struct Page<Row> {
  let rows: ArraySlice<Row>
  /// Where the next page goes on; nil when this is the last one.
  let lastOfMore: Row?

  /// `rows` were asked for with a limit of one more.
  init(_ rows: [Row], limit: Int) {
    self.rows = rows.prefix(limit)
    lastOfMore = rows.count > limit ? self.rows.last : nil
  }
}

/// A request for a page of a list.
protocol PageRequest {
  var hasLimit: Bool { get }
  var limit: UInt32 { get }
  /// Empty for the first page.
  var cursor: String { get }
}

extension WireResultsRequest: PageRequest {}
extension WirePlayerLandsRequest: PageRequest {}
extension WireRoomGamesRequest: PageRequest {}
extension WireSearchSchools: PageRequest {}

extension PlayService {
  /// How many rows a request asks for, and from behind which cursor on, as `read` reads it; nil, and the request is refused,
  /// for more or less than it may have, and for what no answer had as its cursor.
  func page<Cursor>(
    of wire: some PageRequest,
    in range: ClosedRange<Int>,
    default: Int,
    _ read: (String) -> Cursor?,
    _ request: PlayerRequest
  ) -> (limit: Int, cursor: Cursor?)? {
    let asked = wire.hasLimit ? wire.limit : nil
    guard let limit = rows(asked, "limit", in: range, default: `default`, request) else { return nil }
    guard !wire.cursor.isEmpty else { return (limit, nil) }
    guard wire.cursor.utf8.count <= Limits.cursorBytesMax, let cursor = read(wire.cursor) else {
      refuseCursor(request)
      return nil
    }
    return (limit, cursor)
  }

  func refuseCursor(_ request: PlayerRequest) {
    request.refuse(.outOfRange, "cursor: the nextCursor of an answer")
  }

  /// Counts a question that costs the server more than others. False, and the request is refused, when the player or the
  /// address has asked too many, or the connection has yet to take what was sent before.
  func payForQuery(_ request: PlayerRequest) -> Bool {
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

  /// How many rows a request asks for; nil, and the request is refused, for more or less than it may.
  func rows(
    _ asked: UInt32?,
    _ field: String,
    in range: ClosedRange<Int>,
    default: Int,
    _ request: PlayerRequest
  ) -> Int? {
    let rows = asked.map { Int($0) } ?? `default`
    guard range.contains(rows) else {
      request.refuse(.outOfRange, "\(field): \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return rows
  }
}
