// `madang taps ranking`: who stands where, for readers and for programs.
import ArgumentParser
import Foundation
import Game
import Store

extension Taps {
  struct Ranking: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a season's ranking of schools.",
      discussion: """
        Of a season that is closed it is the final ranking as it was told at the closing; --now has the totals of now, which \
        later voids have changed. Works beside a running server.
        """
    )

    @Argument(help: "The season (default: the one that runs).")
    var season: UInt32?

    @Flag(help: "As one JSON object.")
    var json = false

    @Flag(help: "Of a closed season, by the totals of now.")
    var now = false

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let store = try await folder.open()
      defer { store.close() }
      let contest = try Contest(store)
      contest.warnUnlessWhole()
      let season = season ?? contest.tally.season
      try contest.require(season: season)
      let told = now ? nil : try store.finalRanking(of: season)
      let ranking = told?.ranking ?? contest.tally.ranking(of: season)
      if json {
        print(try ExportedRanking(of: season, ranking, in: contest).text)
      } else {
        for place in ranking { print(contest.line(place)) }
      }
    }
  }
}

/// A ranking as other programs read it. The names are the wire's.
private struct ExportedRanking: Encodable {
  struct Place: Encodable {
    let rank: Int
    let schoolId: String
    let name: String
    let region: String
    let count: Int64
  }

  let season: UInt32
  /// None while the season runs.
  let closedAtMs: Int64?
  let ranking: [Place]

  init(of season: UInt32, _ ranking: [RankedSchool], in contest: Contest) {
    self.season = season
    closedAtMs = contest.tally.end(of: season)?.milliseconds
    self.ranking = ranking.map { place in
      let school = contest.school(place.school)
      return Place(
        rank: place.rank,
        schoolId: place.school.description,
        name: school?.name ?? "",
        region: school?.region ?? "",
        count: place.count
      )
    }
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
