// The whole ranking of schools in pages.
//
// On the shard's queue, from the committed ranking. A page costs its rows.
import Game
import Gateway
import MadangProtocol
import Net

extension WireSchoolRankingRequest: PageRequest {}

extension Taps {
  func answerSchoolRanking(_ wire: WireSchoolRankingRequest, _ request: PlayerRequest) {
    let shown = tally.committedRanking
    let (range, standard) = (Limits.rankingPageLimit, Limits.rankingPageLimitDefault)
    let read = { RankCursor($0, season: shown.season) }
    guard let (limit, cursor) = request.page(of: wire, in: range, default: standard, read),
      gateway.payForQuery(request)
    else { return }
    let last = cursor?.rank ?? 0
    var answer = WireSchoolRanking()
    answer.season = shown.season
    answer.rows = shown.schools(behindRank: last, limit: limit).enumerated().map { index, ranked in
      var row = WireRankedSchool()
      row.rank = UInt32(last + index + 1)
      row.schoolID = ranked.school.description
      row.count = ranked.count
      if let school = shown.catalogue.school(ranked.school) {
        row.name = school.name
        row.region = school.region
      }
      return row
    }
    if last + limit < shown.schoolCount {
      answer.nextCursor = RankCursor(season: shown.season, rank: last + limit).text
    }
    request.reply(.schoolRanking(answer))
  }
}

/// The place behind a rank of a season.
private struct RankCursor {
  let season: UInt32
  let rank: Int

  init(season: UInt32, rank: Int) {
    self.season = season
    self.rank = rank
  }

  /// The cursor's text, which is opaque to clients.
  var text: String { "\(season).\(rank)" }

  /// Reads the text that `text` writes in the same season; nil for any other text.
  init?(_ text: String, season: UInt32) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, UInt32(parts[0]) == season, let rank = UInt16(parts[1]), rank > 0 else { return nil }
    self.init(season: season, rank: Int(rank))
  }
}
