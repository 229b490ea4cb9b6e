// `madang taps void` and `close-season`: operators' changes of the contest. Each is one commit, reported when it is
// durable; a running server does them itself.
// Decisions: 063 (docs/decisions).
import ArgumentParser
import ConsoleProtocol
import Game
import Store

extension Taps {
  struct VoidTaps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "void",
      abstract: "Take a player's taps of a season out of the schools' totals.",
      discussion: """
        The player's later taps count again. A published final ranking does not change. Prints the loss of each school. \
        A server that runs on the folder with --admin-port voids them itself. Deleted players have numbers instead of \
        ids, see madang taps suspects; theirs need a stopped server.
        """
    )

    @OptionGroup var wanted: TapPlayer

    @Option(help: "The season, by its number (madang taps seasons).")
    var season: UInt32

    @Flag(help: "As one JSON object.")
    var json = false

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let opened = try OpenedList(inFolder: folder.path())
      let store = opened.store
      defer { store.close() }
      var contest = try Contest(store)
      try contest.requireSound()
      try contest.require(season: season)
      let player = try contest.player(wanted)
      let before = contest.counts(of: player, in: season)
      if case .server(let feed, _) = opened {
        guard let id = player.id else {
          throw ValidationError("a deleted player's taps are voided while no server runs: stop it first.")
        }
        let message = FeedVoidTaps.with {
          $0.player = id.description
          $0.season = season
        }
        // The server refuses to void nothing.
        guard before.contains(where: { $0.count > $0.voided }) else { return try show([], of: player, in: contest) }
        _ = try feed.act("voidTaps", message.consoleJSON)
        // Taps that were counted meanwhile are voided too.
        contest = try Contest(store)
      } else if let taps = contest.tally.voidTaps(ofNumber: player.number, season: season), taps > 0 {
        let entry = AuditEntry.byCommand("voidTaps", of: player.id, player.detail(taps, season))
        try await store.commit(&contest.tally, entry)
      }
      let known = Dictionary(uniqueKeysWithValues: before.map { ($0.school, $0.voided) })
      let losses = contest.counts(of: player, in: season).map { counts in
        (school: counts.school, taps: counts.voided - (known[counts.school] ?? 0))
      }
      try show(losses.filter { $0.taps > 0 }, of: player, in: contest)
    }

    /// Prints the taps that each school has lost.
    private func show(
      _ losses: [(school: SchoolID, taps: Int64)],
      of player: TalliedPlayer,
      in contest: Contest
    ) throws {
      if json { return try ExportedVoid(of: player, season: season, losses, in: contest).printJSON() }
      guard !losses.isEmpty else { return print("\(player.name) has no taps in season \(season) that count") }
      for loss in losses {
        let left = "\(contest.tally.total(of: loss.school, in: season)) are left"
        print("\(loss.taps) taps less, \(left)  \(contest.title(of: loss.school))")
      }
      let taps = losses.reduce(0) { $0 + $1.taps }
      print("\(taps) taps of \(player.name) in season \(season) are voided")
    }
  }

  struct CloseSeason: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Close the season that runs, and begin the next at zero.",
      discussion: """
        It must be the season that is named, so that saying it twice closes no second one. The final \
        ranking is kept (madang taps ranking SEASON); players keep their schools. Prints its first rows, as JSON all \
        of it. A server that runs on the folder with --admin-port closes the season itself.
        """
    )

    @Argument(help: "The season that runs, by its number (madang taps seasons).")
    var season: UInt32

    @Flag(help: "As one JSON object, that of madang taps ranking.")
    var json = false

    @OptionGroup var folder: StoreFolder

    /// The number of printed schools.
    private static let top = 10

    func run() async throws {
      let opened = try OpenedList(inFolder: folder.path())
      let store = opened.store
      defer { store.close() }
      if case .server(let feed, _) = opened {
        _ = try feed.act("closeSeason", FeedCloseSeason.with { $0.season = season }.consoleJSON)
        return try show(store.finalRanking(of: season)?.ranking ?? [], of: season, in: Contest(store))
      }
      var contest = try Contest(store)
      try contest.requireSound()
      guard season == contest.tally.season else {
        throw ValidationError(
          "season \(season) does not run; season \(contest.tally.season) does. Nothing has changed."
        )
      }
      let closing = contest.tally.closeSeason(at: .now)
      try await store.commit(&contest.tally, .byCommand("closeSeason", "season \(closing.season)"), [closing])
      try show(closing.ranking, of: closing.season, in: contest)
    }

    private func show(_ ranking: [RankedSchool], of closed: UInt32, in contest: Contest) throws {
      if json { return try ExportedRanking(of: closed, ranking, in: contest).printJSON() }
      for place in ranking.prefix(Self.top) { print(contest.line(place)) }
      print("season \(closed) is closed: \(ranking.count) schools, \(ranking.taps) taps")
      print("season \(contest.tally.season) runs")
    }
  }
}

extension SQLiteStore {
  /// Commits all uncommitted changes of the tally with its row of the audit log, and waits.
  fileprivate func commit(_ tally: inout Tally, _ entry: AuditEntry, _ closings: [SeasonClosing] = []) async throws {
    let rows = tally.takeChangedRows(max: .max)
    let change = TallyChange(
      segment: tally.takeRecords(),
      rows: rows,
      recordsNeededFrom: tally.recordsNeededFrom,
      closings: closings
    )
    // No server is alive now, and the commit must not make a clock look right that a start would not believe.
    let at = try lastAliveAt ?? entry.at
    _ = try await withCheckedContinuation { waiting in
      commit(Batch(at: at, changes: [.audit(entry)], tally: [change])) { waiting.resume(returning: $0) }
    }.get()
  }
}

extension AuditEntry {
  /// An action of an operator by a command, without a server.
  static func byCommand(_ action: String, of player: PlayerID? = nil, _ detail: String) -> AuditEntry {
    AuditEntry(at: .now, address: "command line", action: action, player: player, detail: detail)
  }
}

extension TalliedPlayer {
  /// The audit log's detail for voided taps; it has a deleted player's number, because the identifier is gone.
  fileprivate func detail(_ taps: Int64, _ season: UInt32) -> String {
    "\(taps) taps of season \(season)" + (id == nil ? ", of \(name)" : "")
  }
}
