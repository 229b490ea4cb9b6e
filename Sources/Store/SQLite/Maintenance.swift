// The store's maintenance, piece by piece. Each piece is a transaction of its own on the writer's queue, and requests
// the next one behind the commits that came meanwhile. A failure keeps the finished pieces, each of which is whole, and
// ends no other kind of work: deleted data makes space for the folding that failed.
import GRDB
import Game

extension SQLiteStore {
  package func maintain(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>) {
    let begin: Completion<(newest: Int64, marked: [PlayerID])> = { [self] result in
      switch result {
      case .success(let (newest, marked)):
        let run = MaintenanceRun(store: self, newest: newest, now: now, keepJournals: keepJournals)
        run.doAll { [self] failure in
          erase(marked) { [self] erasureFailure in
            BlobSweep(store: self).run { [self] blobFailure in
              noteMaintenance()
              completion(answer(failure ?? erasureFailure ?? blobFailure))
            }
          }
        }
      case .failure(let failure): completion(.failure(failure))
      }
    }
    write(begin) { (try $0.newestSegment(), try Erasure.marked(on: $0)) }
  }

  /// The answer of maintenance.
  private func answer(_ failure: StoreFailure?) -> Result<[DamagedSegment], StoreFailure> {
    // Includes segments found by earlier maintenance and by erasures.
    let damaged = unreportedDamage.take()
    // The caller must write snapshots for damaged segments; a failure can wait for the next maintenance.
    if damaged.isEmpty, let failure = failure ?? taps.failure { return .failure(failure) }
    return .success(damaged)
  }
}

/// The kinds of work of one maintenance except erasures, one after the other.
private struct MaintenanceRun: Sendable {
  /// Does one piece; returns the written amount, nil when there was nothing left to do.
  private typealias Piece = @Sendable (Database) throws -> (bytes: Int, rows: Int)?

  let store: SQLiteStore
  /// The last segment to fold.
  let newest: Int64
  let now: Instant
  let keepJournals: Duration

  /// Does all pieces of each kind; then hands over the first failure.
  func doAll(_ completion: @escaping @Sendable (StoreFailure?) -> Void) {
    run(pieces[...], nil, completion)
  }

  private var pieces: [Piece] {
    func forgetting(_ body: @escaping @Sendable (Forgetting) throws -> Int) -> Piece {
      return { db in
        let rows = try body(Forgetting(db: db))
        return rows > 0 ? (0, rows) : nil
      }
    }
    let (newest, now, keepJournals) = (newest, now, keepJournals)
    return [
      { [unreportedDamage = store.unreportedDamage] db in try unreportedDamage.fold(through: newest, at: now, on: db) },
      forgetting { try $0.expireGames(endedBefore: now - keepJournals) },
      forgetting { try $0.trimRooms(through: newest) },
      forgetting { try $0.dropViews(countedBefore: now - Forgetting.viewRetention) },
      forgetting { try GuestForgetting(db: $0.db, now: now).piece() },
      forgetting { try $0.dropSessions(overBefore: now - sessionRetention) },
      forgetting { try $0.dropSanctions(overAt: now) },
      forgetting { try $0.dropAddressBans(overAt: now) },
      forgetting { try $0.dropResets(expiredAt: now) },
      forgetting { try $0.dropBrowsers(unseenSince: now - browserRetention) },
      forgetting { try $0.dropDamaged(writtenBefore: now - keepJournals) },
      forgetting { try $0.dropRankings(overAt: now) },
      forgetting { try $0.dropProposals(decidedBefore: now - LandProposal.decidedRetention) },
      forgetting { try $0.dropMinutes(before: now - HistoryMinute.retention) },
      forgetting { try $0.dropOpenings() },
      forgetting { try $0.dropWebhookEvents() },
      forgetting { try $0.dropPostRows() },
      forgetting { try $0.dropPlanRows() },
      forgetting { try $0.dropReports() },
      forgetting { try $0.dropDays(before: now - topPostsSpan) },
      forgetting { try MediaRemoval(db: $0.db).removeUnused(since: now - StoredMedia.unusedRetention) },
    ]
  }

  private func run(
    _ pieces: ArraySlice<Piece>,
    _ failure: StoreFailure?,
    _ completion: @escaping @Sendable (StoreFailure?) -> Void
  ) {
    guard let piece = pieces.first else { return completion(failure) }
    let next: Completion<(bytes: Int, rows: Int)?> = { result in
      switch result {
      case .success(let written?):
        store.noteWrites(bytes: written.bytes, rows: written.rows)
        run(pieces, failure, completion)
      case .success(nil): run(pieces.dropFirst(), failure, completion)
      case .failure(let new): run(pieces.dropFirst(), failure ?? new, completion)
      }
    }
    store.write(next) { db in try db.transaction { try piece(db) } }
  }
}
