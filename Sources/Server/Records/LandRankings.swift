// The rankings of lands: of one, of several, and whole ones in pages.
//
// On the shard's queue; the store answers by `post`.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension WireLandRankingPageRequest: PageRequest {}

extension Records {
  func answerLandRanking(_ wire: WireLandRankingRequest, _ request: PlayerRequest) {
    let asked = wire.hasTop ? wire.top : nil
    guard let top = request.rows(asked, "top", in: Limits.rankingTop, default: Limits.rankingTopDefault),
      let period = period(wire.span, request)
    else { return }
    guard let land = LandID(wire.landID) else { return request.refuse(.landNotFound) }
    let days = days
    answerFromStore(request, orElse: .landNotFound) { store, player, finish in
      store.rankings(of: [land], in: period, top: top, for: player, ownTimesMax: Limits.ownTimesMax) { rankings in
        finish(rankings.map { $0.first.map { .landRanking(WireLandRanking($0, period, to: player, days)) } })
      }
    }
  }

  func answerLandRankings(_ wire: WireLandRankingsRequest, _ request: PlayerRequest) {
    let asked = wire.hasTop ? wire.top : nil
    guard let top = request.rows(asked, "top", in: Limits.rankingsTop, default: Limits.rankingTopDefault),
      let period = period(wire.span, request)
    else { return }
    guard Limits.rankedLands.contains(wire.landIds.count), Set(wire.landIds).count == wire.landIds.count else {
      let range = Limits.rankedLands
      return request.refuse(.outOfRange, "landIds: \(range.lowerBound) to \(range.upperBound) lands, each once")
    }
    var lands: [LandID] = []
    for id in wire.landIds {
      guard let land = LandID(id) else { return request.refuse(.landNotFound, "no land \(id)") }
      lands.append(land)
    }
    let days = days
    guard gateway.payForQuery(request, lands.count) else { return }
    awaitAnswer(for: request) { [lands] answer in
      gateway.context.store.rankings(
        of: lands,
        in: period,
        top: top,
        for: request.player,
        ownTimesMax: Limits.ownTimesMax,
        answer
      )
    } then: { [lands] _, request, answer in
      guard case .success(let rankings) = answer else { return request.refuseForStore() }
      let known = Set(rankings.map(\.land))
      if let unknown = lands.first(where: { !known.contains($0) }) {
        return request.refuse(.landNotFound, "no land \(unknown)")
      }
      var reply = WireLandRankings()
      reply.rankings = rankings.map { WireLandRanking($0, period, to: request.player, days) }
      request.reply(.landRankings(reply))
    }
  }

  func answerLandRankingPage(_ wire: WireLandRankingPageRequest, _ request: PlayerRequest) {
    guard let period = period(wire.span, request) else { return }
    let (range, standard) = (Limits.rankingPageLimit, Limits.rankingPageLimitDefault)
    let read = { RankingCursor($0, in: period) }
    guard let (limit, cursor) = request.page(of: wire, in: range, default: standard, read) else { return }
    guard let land = LandID(wire.landID) else { return request.refuse(.landNotFound) }
    let days = days
    answerFromStore(request, orElse: .landNotFound) { store, player, finish in
      store.ranking(of: land, in: period, after: cursor, limit: limit + 1, for: player) { found in
        finish(
          found.map { found in
            guard let found else { return nil }
            let page = Page(found.rows, limit: limit)
            var answer = WireLandRankingPage()
            answer.rows = page.rows.map { WireRankRow($0, to: player, inRanking: found.hasPlayer, days) }
            if let last = page.lastOfMore { answer.nextCursor = RankingCursor(of: last).text(in: period) }
            if let wire = WireRankingPeriod(period) { answer.period = wire }
            return .landRankingPage(answer)
          }
        )
      }
    }
  }

  /// The period that a request is about; nil, and the request is refused, for an unknown one.
  private func period(_ span: WireRankingSpan, _ request: PlayerRequest) -> RankingPeriod? {
    switch span {
    case .unspecified, .allTime: return .allTime
    case .thisWeek: return days.week(of: gateway.now)
    case .thisMonth: return days.month(of: gateway.now)
    case .UNRECOGNIZED:
      request.refuse(.outOfRange, "span: ALL_TIME, THIS_WEEK or THIS_MONTH")
      return nil
    }
  }
}

extension RankingCursor {
  /// The cursor's text, which is opaque to clients. It names the beginning of its period: with the next week's ranking
  /// it would be a place that nobody has seen.
  func text(in period: RankingPeriod) -> String {
    "\(Self.mark(of: period)).\(rank).\(timeMs).\(player)"
  }

  /// Reads the text that `text` writes for the same period; nil for any other text.
  init?(_ text: String, in period: RankingPeriod) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == Self.mark(of: period), let rank = UInt32(parts[1]), rank > 0,
      let timeMs = UInt32(parts[2]), let player = PlayerID(String(parts[3]))
    else { return nil }
    self.init(rank: Int(rank), timeMs: Int64(timeMs), player: player)
  }

  private static func mark(of period: RankingPeriod) -> String {
    period == .allTime ? "a" : "\(period.range.lowerBound.milliseconds)-\(period.range.upperBound.milliseconds)"
  }
}
