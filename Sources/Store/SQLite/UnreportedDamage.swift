// Segments that a running store has set aside and not reported yet. Any thread; guarded by a lock.
import GRDB
import Game
import Locks

/// The segments that the next maintenance hands over.
final class UnreportedDamage: Sendable {
  private let segments = OrderedMutex<[DamagedSegment]>(.leaf, [])

  /// Folds a piece, or sets aside the segment that blocks it; returns the written amount, nil when there was nothing
  /// left. On the writer's queue, inside the transaction.
  func fold(through newest: Int64, at now: Instant, on db: Database) throws -> (bytes: Int, rows: Int)? {
    do {
      return try Folding(db: db, target: newest).piece()
    } catch let damage as UnreadableSegment {
      let segment = try Damage(db: db).setAside(damage, at: now)
      segments.withLock { segments in
        if !segments.contains(segment) { segments.append(segment) }
      }
      return (segment.byteCount, 2)
    }
  }

  /// Takes all segments since the last call.
  func take() -> [DamagedSegment] {
    segments.withLock { segments in
      defer { segments = [] }
      return segments
    }
  }
}
