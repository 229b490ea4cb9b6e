// The store's housekeeping, piece by piece: each is a transaction of its own on the writer's queue and asks for the next
// one behind whatever commits came meanwhile. A failure leaves what earlier pieces did, each of which is whole.
import GRDB
import Game

extension SQLiteStore {
  /// Does one piece; how much it wrote, nil when there was nothing left to do.
  private typealias Piece = @Sendable (Database) throws -> (bytes: Int, rows: Int)?

  package func care(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<Void>) {
    let newest: Completion<Int64> = { [self] result in
      switch result {
      case .success(let newest): run(pieces(through: newest, at: now, keepJournals)[...], completion)
      case .failure(let failure): completion(.failure(failure))
      }
    }
    write(newest) { try $0.newestSegment() }
  }

  private func pieces(through newest: Int64, at now: Instant, _ keepJournals: Duration) -> [Piece] {
    func forgetting(_ body: @escaping @Sendable (Forgetting) throws -> Int) -> Piece {
      return { db in
        let rows = try body(Forgetting(db: db))
        return rows > 0 ? (0, rows) : nil
      }
    }
    return [
      { try Folding(db: $0, target: newest).piece() },
      forgetting { try $0.expireGames(endedBefore: now - keepJournals) },
      forgetting { try $0.trimRooms(foldedThrough: newest) },
      forgetting { try $0.dropSessions(overBefore: now - Forgetting.sessionsKept) },
    ]
  }

  private func run(_ pieces: ArraySlice<Piece>, _ completion: @escaping Completion<Void>) {
    guard let piece = pieces.first else { return completion(.success(())) }
    let next: Completion<(bytes: Int, rows: Int)?> = { [self] result in
      switch result {
      case .success(let written?):
        noteWrites(bytes: written.bytes, rows: written.rows)
        run(pieces, completion)
      case .success(nil): run(pieces.dropFirst(), completion)
      case .failure(let failure): completion(.failure(failure))
      }
    }
    write(next) { db in try Self.transaction(on: db) { try piece(db) } }
  }
}
