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
    of request: some PageRequest,
    in range: ClosedRange<Int>,
    default: Int,
    _ read: (String) -> Cursor?,
    _ id: UInt32?,
    _ session: PlaySession
  ) -> (limit: Int, cursor: Cursor?)? {
    let asked = request.hasLimit ? request.limit : nil
    guard let limit = rows(asked, "limit", in: range, default: `default`, id, session) else { return nil }
    guard !request.cursor.isEmpty else { return (limit, nil) }
    guard request.cursor.utf8.count <= Limits.cursorBytesMax, let cursor = read(request.cursor) else {
      refuseCursor(id, session)
      return nil
    }
    return (limit, cursor)
  }

  func refuseCursor(_ id: UInt32?, _ session: PlaySession) {
    session.refuse(id, .outOfRange, "cursor: the nextCursor of an answer")
  }

  /// Counts a question that costs the server more than others: whose it is; nil, and the request is refused, when the player
  /// or the address has asked too many, or the connection has yet to take what was sent before.
  func payForQuery(_ id: UInt32?, _ session: PlaySession) -> PlayerID? {
    guard let player = session.state.identity?.player else { preconditionFailure("whoever asks has said hello") }
    guard !session.connection.isBehind else {
      session.refuse(id, .rateLimited, "take what was sent before", retryAfterMs: 1_000)
      return nil
    }
    let wait = budgets.pay(
      Charge(budget: .queries, payer: .player(player)),
      Charge(budget: .queriesOfAddress, payer: .address(session.connection.address.ip)),
      at: core.now
    )
    guard let wait else { return player }
    session.refuse(id, .rateLimited, retryAfterMs: wait)
    return nil
  }

  /// How many rows a request asks for; nil, and the request is refused, for more or less than it may.
  func rows(
    _ asked: UInt32?,
    _ field: String,
    in range: ClosedRange<Int>,
    default: Int,
    _ id: UInt32?,
    _ session: PlaySession
  ) -> Int? {
    let rows = asked.map { Int($0) } ?? `default`
    guard range.contains(rows) else {
      session.refuse(id, .outOfRange, "\(field): \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return rows
  }
}
