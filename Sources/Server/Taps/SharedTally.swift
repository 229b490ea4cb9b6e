// The tally of school taps, asked by all shards, and what the ranking knows of it.
//
// Any thread; guarded by a lock that is held for one decision, or for taking what a commit brings. It decides at once, and
// nobody is told of a decision before the commit that brings its record: whoever asks notes its shard's journal, whose next
// piece goes with that commit or a later one. The ranking is kept by commits and read by ticks, under a lock of its own: it
// never shows what could be lost.
// Decisions: 056 (docs/decisions).
import Game
import Gateway
import Net
import Store

final class SharedTally: CommitContributor {
  /// The tally's part of a commit, and what the ranking is told when it is done.
  fileprivate struct Piece: Sendable {
    let change: TallyChange
    /// The newest record in it or before it.
    fileprivate let through: UInt64
    fileprivate let season: UInt32
    fileprivate let standings: [SchoolStanding]
    /// Schools that somebody has chosen first, in the order of the tally's numbers.
    fileprivate let newSchools: [SchoolID]
  }

  fileprivate struct State {
    /// Records up to this one are durable.
    var committed: UInt64
    /// How many schools the ranking has been told of, or is about to be.
    var schoolsTold: Int
    /// The next commit writes every row that waits.
    var writesAllRows: Bool
    /// Ended and not taken by a commit yet.
    var closings: [SeasonClosing] = []
    /// What commits that were made have of it that is not committed yet.
    var contributed: [Piece] = []
    var tally: Tally
  }

  private let state: OrderedMutex<State>
  private let ranking: OrderedMutex<CommittedRanking>

  /// Goes on with what has been recovered, all of which is durable. Where something of it was lost, the first commit writes
  /// all rows and forgets all records: numbers in them may be given again.
  init(_ recovered: Tally, hasLost: Bool, _ catalogue: SchoolCatalogue) {
    var tally = recovered
    tally.setClosedSchools(catalogue.closedSchools)
    var shown = CommittedRanking(catalogue)
    shown.take(
      tally.takeStandings(),
      season: tally.season,
      newSchools: (0..<tally.schoolCount).map { tally.school($0) }
    )
    ranking = OrderedMutex(.leaf, shown)
    state = OrderedMutex(
      .tally,
      State(
        committed: tally.sequence,
        schoolsTold: tally.schoolCount,
        writesAllRows: hasLost,
        tally: tally
      )
    )
  }

  // What players do. Nil, and nothing is done, where `isCurrent` says that the connection is the player's no longer. It is
  // asked under the lock: a newer connection has become theirs before it asks for their standing, so nothing that an older
  // one has sent changes what the newer one is told.

  func tap(
    _ player: PlayerID,
    batch: UInt32,
    count: Int64,
    at now: Instant,
    where isCurrent: () -> Bool
  ) -> TapDecision? {
    state.withLock { isCurrent() ? $0.tally.tap(player, batch: batch, count: count, at: now) : nil }
  }

  /// Chooses a school that is in the catalogue.
  func choose(_ school: SchoolID, by player: PlayerID, where isCurrent: () -> Bool) -> SchoolChoice? {
    state.withLock { isCurrent() ? $0.tally.choose(school, by: player) : nil }
  }

  /// Nil for who has never chosen a school. `isCommitted` is false while something newer than the last commit is in it.
  func standing(of player: PlayerID) -> (standing: TapStanding?, isCommitted: Bool) {
    state.withLock { state in
      let newest = state.tally.newestRecord(of: player) ?? 0
      return (state.tally.standing(of: player), newest <= state.committed)
    }
  }

  // What operators do.

  /// Closes the season that runs, which must be this one; nil for another. The counts of those before the one that ends leave
  /// memory.
  func closeSeason(_ season: UInt32, at now: Instant) -> SeasonClosing? {
    state.withLock { state in
      guard season == state.tally.season else { return nil }
      let closing = state.tally.closeSeason(at: now)
      state.tally.dropOldCounts()
      state.closings.append(closing)
      return closing
    }
  }

  /// Counts of a season that are no longer in memory.
  struct OldCounts: Hashable, Sendable {
    /// The tally's own number of the player.
    let player: UInt32
    let season: UInt32
    /// How often counts had left memory: rows that are read behind a commit that is made now are not older than those that had.
    fileprivate let drops: UInt64
  }

  enum Voiding: Sendable {
    /// How much is taken off the schools' totals; 0 also for a player or season that the tally has not.
    case done(Int64)
    /// First these are to be read, behind the commit that is made now.
    case needs(OldCounts)
    /// What was read can't be what was written.
    case damaged(TallyRowFault)
  }

  /// Voids what a player has counted in a season; in one that is old with what was `read` of it, if anything was.
  func voidTaps(of player: PlayerID, season: UInt32, with read: (counts: OldCounts, rows: [TapCountRow])?) -> Voiding {
    state.withLock { state in
      guard let number = state.tally.number(of: player), season > 0, !state.tally.keepsCounts(of: season) else {
        return .done(state.tally.voidTaps(of: player, season: season) ?? 0)
      }
      let old = OldCounts(player: UInt32(number), season: season, drops: state.tally.countDrops)
      // Of what has left memory since, the store may have had less.
      guard let read, read.counts == old else { return .needs(old) }
      defer { state.tally.dropOldCounts() }
      do throws(TallyRowFault) {
        try state.tally.putBack(read.rows)
      } catch {
        return .damaged(error)
      }
      return .done(state.tally.voidTaps(ofNumber: number, season: season) ?? 0)
    }
  }

  var suspects: [TapStanding] { state.withLock { $0.tally.suspects } }

  /// What a player has counted in the season that runs and the one before. Looks at every school that was ever chosen.
  func latestCounts(of player: PlayerID) -> [CountedTaps] {
    state.withLock { state in
      let season = state.tally.season
      return state.tally.counts(of: player, in: max(1, season - 1)...season)
    }
  }

  // What commits do.

  /// Adds what has been decided since the last commit was made. A player whom the commit deletes is forgotten in that commit,
  /// in no earlier one.
  func contribute(to batch: inout Batch) {
    let deleted = batch.changes.compactMap { change in
      switch change {
      case .deletion(.begin(let player, _)), .deletion(.finish(let player, _)): player
      default: nil
      }
    }
    batch.tally = state.withLock { state in
      for player in deleted { _ = state.tally.forget(player) }
      if let piece = state.takePiece() { state.contributed.append(piece) }
      return state.contributed.map(\.change)
    }
  }

  func contributionsCommitted() {
    let pieces = state.withLock { state in
      defer { state.contributed = [] }
      return state.contributed
    }
    guard let last = pieces.last else { return }
    // First, so that of whatever is said to be committed the ranking knows.
    ranking.withLock { ranking in
      for piece in pieces {
        ranking.take(piece.standings, season: piece.season, newSchools: piece.newSchools)
      }
    }
    state.withLock { $0.committed = last.through }
  }

  /// Rows wait to be written; the records behind them can't be forgotten before.
  var hasChanges: Bool { state.withLock { $0.tally.changedRowCount > 0 } }

  /// The next commit writes all rows that wait: a start behind it has nothing to do again.
  func writeDown() {
    state.withLock { $0.writesAllRows = true }
  }

  // What is shown.

  /// The ranking of what is committed, as a copy that stays as it is.
  var committedSeason: UInt32 { ranking.withLock { $0.season } }
  var committedRanking: CommittedRanking { ranking.withLock { $0 } }
}

extension SharedTally.State {
  /// Rows are written a few with each commit, so that all are in two thousand commits: each row is a page of the disk.
  private static let rowsPerCommitMin = 8
  private static let commitsForAllRows = 2_000
  /// While nobody taps.
  private static let rowsPerQuietCommit = 10_000

  /// The next commit's part; nil if there is nothing.
  fileprivate mutating func takePiece() -> SharedTally.Piece? {
    let waiting = tally.changedRowCount
    let most =
      tally.hasRecords ? max(Self.rowsPerCommitMin, waiting / Self.commitsForAllRows) : Self.rowsPerQuietCommit
    let rows = tally.takeChangedRows(max: writesAllRows ? .max : most)
    let segment = tally.takeRecords()
    let standings = tally.takeStandings()
    guard segment != nil || rows.count > 0 || !standings.isEmpty else { return nil }
    defer {
      closings = []
      writesAllRows = false
      schoolsTold = tally.schoolCount
    }
    return SharedTally.Piece(
      change: TallyChange(
        segment: segment,
        rows: rows,
        recordsNeededFrom: tally.recordsNeededFrom,
        closings: closings
      ),
      through: tally.sequence,
      season: tally.season,
      standings: standings,
      newSchools: (schoolsTold..<tally.schoolCount).map { tally.school($0) }
    )
  }
}
