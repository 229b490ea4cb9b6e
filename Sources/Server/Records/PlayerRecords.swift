// A player's records: results of games, records by day and in all, badges.
//
// On the shard's queue; the store is read on threads of its own, and answers by `post`. A connection has one such
// request under way at a time.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension WireResultsRequest: PageRequest {}

extension Records {
  func answerResults(_ wire: WireResultsRequest, _ request: PlayerRequest) {
    let (range, standard) = (Limits.resultsLimit, Limits.resultsLimitDefault)
    guard let (limit, cursor) = request.page(of: wire, in: range, default: standard, ResultCursor.init) else {
      return
    }
    answerFromStore(request, orElse: .landNotFound) { store, player, finish in
      store.results(of: player, before: cursor, limit: limit + 1) { rows in
        guard case .success(let rows) = rows else { return finish(rows.map { _ in nil }) }
        store.landNames(Set(rows.prefix(limit).compactMap(\.land))) { names in
          finish(
            names.map { names in
              let page = Page(rows, limit: limit)
              var results = WireResults()
              results.results = page.rows.map { WireGameResult($0, landName: $0.land.flatMap { names[$0] }) }
              if let last = page.lastOfMore { results.nextCursor = ResultCursor(of: last).text }
              return .results(results)
            }
          )
        }
      }
    }
  }

  func answerRecords(_: WireRecordsRequest, _ request: PlayerRequest) {
    let days = self.days.days(Self.recordDays, gateway.now.milliseconds)
    // The range of all time comes last.
    let ranges = days.map(\.range) + [Instant(milliseconds: .min)..<Instant(milliseconds: .max)]
    answerFromStore(request, orElse: .landNotFound) { store, player, finish in
      store.totals(of: player, in: ranges) { totals in
        guard case .success(let totals) = totals, totals.count == ranges.count else {
          return finish(totals.map { _ in .records(WireRecords()) })
        }
        store.badges(of: player) { badges in
          finish(badges.map { .records(WireRecords(days, totals, $0)) })
        }
      }
    }
  }

  /// The number of days in a player's records.
  private static let recordDays = 7
}

extension ResultCursor {
  /// The cursor's text, which is opaque to clients.
  var text: String { "\(endedAt.milliseconds)-\(game)" }

  /// Reads the text that `text` writes; nil for any other text.
  init?(_ text: String) {
    guard let hyphen = text.firstIndex(of: "-"), let milliseconds = Int64(text[..<hyphen]),
      let game = GameID(String(text[text.index(after: hyphen)...]))
    else { return nil }
    self.init(endedAt: Instant(milliseconds: milliseconds), game: game)
  }
}

extension WireGameResult {
  /// A result. A game over one land has the land's name.
  init(_ row: ResultRow, landName: String?) {
    self.init()
    gameID = row.game.description
    mode = WireMode(row.mode)
    endedAtMs = row.endedAt.milliseconds
    points = row.points
    distanceM = UInt32(clamping: row.distanceMm / 1_000)
    timeS = UInt32(clamping: row.timeMs / 1_000)
    rank = row.givenRank.map(UInt32.init) ?? 0
    won = row.won
    completed = row.completed
    calories = UInt32(clamping: row.calories)
    if let land = row.land { landID = land.description }
    if let landName { self.landName = landName }
    latePercent = UInt32(row.latePercent)
    withheldPercent = UInt32(row.withheldPercent)
  }
}

extension WireRecords {
  /// Makes the records. `totals` has those of each day, then those of all time.
  init(_ days: [Day], _ totals: [Totals], _ badges: [AwardedBadge]) {
    self.init()
    self.days = zip(days, totals).map { day, totals in
      var row = WireDayTotals()
      row.date = day.date
      row.count = UInt32(clamping: totals.count)
      row.distanceM = UInt32(clamping: totals.distanceMm / 1_000)
      row.timeS = UInt32(clamping: totals.timeMs / 1_000)
      row.calories = UInt32(clamping: totals.calories)
      return row
    }
    if let all = totals.last {
      total.count = UInt32(clamping: all.count)
      total.distanceM = UInt32(clamping: all.distanceMm / 1_000)
      total.timeS = UInt32(clamping: all.timeMs / 1_000)
      total.calories = UInt32(clamping: all.calories)
    }
    self.badges = badges.map { badge in
      var row = WireOwnBadge()
      row.badge = UInt32(badge.badge)
      row.awardedAtMs = badge.awardedAt.milliseconds
      return row
    }
  }
}
