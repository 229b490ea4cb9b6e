// `madang taps`: the school contest for operators, and their changes of it.
import ArgumentParser
import Game
import Store

package struct Taps: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Show the school contest, void a player's taps, close a season.",
    subcommands: [
      Seasons.self, Ranking.self, Suspects.self, Player.self, VoidTaps.self, CloseSeason.self,
    ]
  )

  package init() {}
}

extension Taps {
  struct Seasons: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all seasons by the totals of now.",
      discussion: "Works beside a running server."
    )

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let contest = try await Contest(in: folder)
      for season in 1...contest.tally.season {
        let ranking = contest.tally.ranking(of: season)
        let state = contest.tally.end(of: season).map { "closed \($0.utc)" } ?? "runs"
        print("season \(season)  \(state)  \(ranking.count) schools, \(ranking.taps) taps")
      }
    }
  }

  struct Suspects: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all players who had an abnormal batch, most abnormal batches first.",
      discussion: """
        A suspect had three abnormal batches within a minute. Deleted players are listed by their numbers. madang taps player \
        shows a player's counts. Works beside a running server.
        """
    )

    @Option(help: "The most that are listed.")
    var limit = 100

    @OptionGroup var folder: StoreFolder

    func validate() throws {
      guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
      let contest = try await Contest(in: folder)
      let players = contest.tally.abnormalPlayers
      for player in players.prefix(limit) {
        let batches = "\(player.abnormalCount) abnormal of \(player.lastBatch) batches"
        let suspect = player.isSuspect ? ", a suspect" : ""
        let name = player.id.map { "\($0)" } ?? "deleted, number \(player.number)"
        print("\(name)  \(batches)\(suspect)  \(contest.title(of: player.school))")
      }
      if players.count > limit { print("and \(players.count - limit) more, see --limit") }
    }
  }

  struct Player: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a player's counts, by season and school.",
      discussion:
        "Works beside a running server. Deleted players have numbers instead of ids: see madang taps suspects."
    )

    @OptionGroup var wanted: TapPlayer

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let contest = try await Contest(in: folder)
      let player = try contest.player(wanted)
      let deleted = player.id == nil ? ", deleted" : ""
      print("\(player.name)\(deleted)  \(contest.title(of: player.school))")
      let suspect = player.isSuspect ? ", a suspect" : ""
      print("\(player.lastBatch) batches, \(player.abnormalCount) of them abnormal\(suspect)")
      for taps in contest.tally.counts(ofNumber: player.number) {
        let voided = taps.voided > 0 ? ", \(taps.voided) of them voided" : ""
        print("season \(taps.season)  \(taps.count) taps\(voided)  \(contest.title(of: taps.school))")
      }
    }
  }
}
