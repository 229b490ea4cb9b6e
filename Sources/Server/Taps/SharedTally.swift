// The tally of school taps, shared by all shards, and its ranking.
//
// Any thread; guarded by a lock that is held for one decision, or for taking a commit's part. It decides at once, but
// nobody is notified before the commit with the decision's record. So each caller touches its shard's journal, whose
// next piece goes with that commit or a later one. Commits update the ranking and ticks read it, under a lock of its
// own: it never shows anything that could be lost.
// Decisions: 056 (docs/decisions).
import Game
import Gateway
import Locks
import Net
import Store

final class SharedTally: CommitContributor {
  /// The tally's part of a commit, and the ranking's update after it.
  fileprivate struct Piece: Sendable {
    let change: TallyChange
    /// The newest record in it or before it.
    fileprivate let through: UInt64
    fileprivate let season: UInt32
    fileprivate let standings: [SchoolStanding]
    /// Schools that were chosen for the first time, in the order of the tally's numbers.
    fileprivate let newSchools: [SchoolID]
  }

  fileprivate struct State {
    /// Records up to this one are durable.
    var committed: UInt64
    /// The number of schools that the ranking knows, or is about to know.
    var schoolsAnnounced: Int
    /// The next commit writes every waiting row.
    var writesAllRows: Bool
    /// Seasons that have ended and are in no commit yet.
    var closings: [SeasonClosing] = []
    /// The tally's parts of commits that were made and are not finished.
    var contributed: [Piece] = []
    var tally: Tally
  }

  private let state: OrderedMutex<State>
  private let ranking: OrderedMutex<CommittedRanking>

  /// Continues with the recovered tally, all of which is durable. After a loss, the first commit writes all rows and
  /// forgets all records: numbers in them may be given again.
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
        schoolsAnnounced: tally.schoolCount,
        writesAllRows: hasLost,
        tally: tally
      )
    )
  }

  // Players' actions. Nil, and nothing is done, where `isCurrent` says that the connection is not the player's any
  // more. It is called under the lock. A newer connection becomes theirs before it asks for their standing. So nothing
  // from an older connection changes the standing that the newer one got.

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

  /// The player's standing; nil for a player who has never chosen a school. `isCommitted` is false while it has changes
  /// since the last commit.
  func standing(of player: PlayerID) -> (standing: TapStanding?, isCommitted: Bool) {
    state.withLock { state in
      let newest = state.tally.newestRecord(of: player) ?? 0
      return (state.tally.standing(of: player), newest <= state.committed)
    }
  }

  // Operators' actions.

  /// Closes the running season, which must be this one; nil for another. The counts of seasons before the ended one
  /// leave memory.
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
    /// The number of times that counts had left memory. Rows read after a commit made now are not older than counts
    /// that had left.
    fileprivate let drops: UInt64
  }

  enum Voiding: Sendable {
    /// The taps taken off the schools' totals; 0 also for a player or season unknown to the tally.
    case done(Int64)
    /// These counts have to be read first, after the commit that is made now.
    case needs(OldCounts)
    /// The rows that were read can't be those that were written.
    case damaged(TallyRowFault)
  }

  /// Voids a player's counted taps in a season; for an old season with the rows that were `read`, if any.
  func voidTaps(of player: PlayerID, season: UInt32, with read: (counts: OldCounts, rows: [TapCountRow])?) -> Voiding {
    state.withLock { state in
      guard let number = state.tally.number(of: player), season > 0, !state.tally.keepsCounts(of: season) else {
        return .done(state.tally.voidTaps(of: player, season: season) ?? 0)
      }
      let old = OldCounts(player: UInt32(number), season: season, drops: state.tally.countDrops)
      // Counts may have left memory since the read, so the store may have had fewer.
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

  /// A player's counts of the running season and the one before. Looks at every school that was ever chosen.
  func latestCounts(of player: PlayerID) -> [CountedTaps] {
    state.withLock { state in
      let season = state.tally.season
      return state.tally.counts(of: player, in: max(1, season - 1)...season)
    }
  }

  // Commits.

  /// Adds the decisions since the last commit was made. A player whom the commit deletes is forgotten in that commit,
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
    // The ranking first, so that it knows everything that is reported as committed.
    ranking.withLock { ranking in
      for piece in pieces {
        ranking.take(piece.standings, season: piece.season, newSchools: piece.newSchools)
      }
    }
    state.withLock { $0.committed = last.through }
  }

  /// Rows wait to be written; the records behind them can't be forgotten before.
  var hasChanges: Bool { state.withLock { $0.tally.changedRowCount > 0 } }

  /// Makes the next commit write all waiting rows: a start from that commit replays nothing.
  func writeDown() {
    state.withLock { $0.writesAllRows = true }
  }

  // Views.

  /// The committed ranking, as a copy that does not change.
  var committedSeason: UInt32 { ranking.withLock { $0.season } }
  var committedRanking: CommittedRanking { ranking.withLock { $0 } }
  /// The newest list of schools.
  var schools: SchoolCatalogue { ranking.withLock { $0.catalogue } }

  /// Takes a committed edition of the list of schools. Called for one edition after the other, on no shard: it makes
  /// the whole catalogue anew.
  func take(_ edition: SchoolEdition) {
    guard !edition.rows.isEmpty else { return }
    let new = schools.updated(by: edition.rows)
    // The ranking first: a school that can be chosen is in the catalogue.
    ranking.withLock { $0.take(new) }
    state.withLock { $0.tally.setClosedSchools(new.closedSchools) }
  }
}

extension SharedTally.State {
  /// A few rows are written with each commit, so that all are written within two thousand commits: each row is a page
  /// of the disk.
  private static let rowsPerCommitMin = 8
  private static let commitsForAllRows = 2_000
  /// The rows of a commit while nobody taps.
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
      schoolsAnnounced = tally.schoolCount
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
      newSchools: (schoolsAnnounced..<tally.schoolCount).map { tally.school($0) }
    )
  }
}
