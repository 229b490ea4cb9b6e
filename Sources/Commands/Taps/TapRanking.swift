// `madang taps ranking`: the ranking of schools, as text and as JSON.
import ArgumentParser
import Game
import Store

extension Taps {
  struct Ranking: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a season's ranking of schools.",
      discussion: """
        Of a season that is closed it is the final ranking of the closing; --now has the totals of now, which \
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
      let store = try folder.open()
      defer { store.close() }
      let contest = try Contest(store)
      contest.warnUnlessWhole()
      let season = season ?? contest.tally.season
      try contest.require(season: season)
      let final = now ? nil : try store.finalRanking(of: season)
      let ranking = final?.ranking ?? contest.tally.ranking(of: season)
      if json {
        try ExportedRanking(of: season, ranking, in: contest).printJSON()
      } else {
        for place in ranking { print(contest.line(place)) }
      }
    }
  }
}
