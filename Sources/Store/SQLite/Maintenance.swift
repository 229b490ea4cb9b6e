// The store's housekeeping, piece by piece: each is a transaction of its own on the writer's queue and asks for the
// next one behind whatever commits came meanwhile. A failure leaves what earlier pieces did, each of which is whole,
// and ends no other kind of work: what can be forgotten makes room for what can't be folded.
import GRDB
import Game
import Synchronization

extension SQLiteStore {
  /// Does one piece; how much it wrote, nil when there was nothing left to do.
  private typealias Piece = @Sendable (Database) throws -> (bytes: Int, rows: Int)?

  package func maintain(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>) {
    let begin: Completion<(newest: Int64, marked: [PlayerID])> = { [self] result in
      switch result {
      case .success(let (newest, marked)):
        run(pieces(through: newest, at: now, keepJournals)[...], nil) { [self] failure in
          erase(marked) { [self] erasureFailure in
            noteMaintenance()
            completion(answer(failure ?? erasureFailure))
          }
        }
      case .failure(let failure): completion(.failure(failure))
      }
    }
    write(begin) { (try $0.newestSegment(), try Erasure.marked(on: $0)) }
  }

  /// What maintenance answers.
  private func answer(_ failure: StoreFailure?) -> Result<[DamagedSegment], StoreFailure> {
    // Those found by earlier maintenance too, and by erasures.
    let damaged = untoldDamage.withLock { segments in
      defer { segments = [] }
      return segments
    }
    // Whoever hears of segments writes rooms down; the other news can wait for the next maintenance.
    if damaged.isEmpty, let failure = failure ?? taps.failure { return .failure(failure) }
    return .success(damaged)
  }

  private func pieces(through newest: Int64, at now: Instant, _ keepJournals: Duration) -> [Piece] {
    func forgetting(_ body: @escaping @Sendable (Forgetting) throws -> Int) -> Piece {
      return { db in
        let rows = try body(Forgetting(db: db))
        return rows > 0 ? (0, rows) : nil
      }
    }
    return [
      { [self] db in try fold(through: newest, at: now, on: db) },
      forgetting { try $0.expireGames(endedBefore: now - keepJournals) },
      forgetting { try $0.trimRooms(through: newest) },
      forgetting { try GuestForgetting(db: $0.db, now: now).piece() },
      forgetting { try $0.dropSessions(overBefore: now - sessionRetention) },
      forgetting { try $0.dropSanctions(overAt: now) },
      forgetting { try $0.dropDamaged(writtenBefore: now - keepJournals) },
    ]
  }

  /// Folds a piece, or sets aside the segment that is in its way.
  func fold(through newest: Int64, at now: Instant, on db: Database) throws -> (bytes: Int, rows: Int)? {
    do {
      return try Folding(db: db, target: newest).piece()
    } catch let damage as UnreadableSegment {
      let segment = try Damage(db: db).setAside(damage, at: now)
      untoldDamage.withLock { segments in
        if !segments.contains(segment) { segments.append(segment) }
      }
      return (segment.byteCount, 2)
    }
  }

  /// Does all pieces of each kind; the first failure when they are done.
  private func run(
    _ pieces: ArraySlice<Piece>,
    _ failure: StoreFailure?,
    _ completion: @escaping @Sendable (StoreFailure?) -> Void
  ) {
    guard let piece = pieces.first else { return completion(failure) }
    let next: Completion<(bytes: Int, rows: Int)?> = { [self] result in
      switch result {
      case .success(let written?):
        noteWrites(bytes: written.bytes, rows: written.rows)
        run(pieces, failure, completion)
      case .success(nil): run(pieces.dropFirst(), failure, completion)
      case .failure(let new): run(pieces.dropFirst(), failure ?? new, completion)
      }
    }
    write(next) { db in try Self.transaction(on: db) { try piece(db) } }
  }
}
