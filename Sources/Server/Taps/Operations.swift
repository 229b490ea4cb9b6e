// What operators do to the contest while the server runs. Each answer is given on a shard's thread when it lasts; what the
// audit log has of it is in the same commit.
import Game
import Net
import Store
import Synchronization

extension GameServer {
  /// Ends the season that runs, stores its final ranking and begins the next at zero; `completion` is told it when all that
  /// is committed. Any thread.
  package func closeSeason(_ completion: @escaping @Sendable (SeasonClosing) -> Void) {
    shards[0].post { shard in
      (shard.core.service as? PlayService)?.closeSeason(nil) { _, _ in
        nil
      } completion: { closing in
        guard let closing else { preconditionFailure("some season always runs") }
        completion(closing)
      }
    }
  }

  /// Takes what a player has counted in a season so far, the one that runs by default, out of the schools' totals;
  /// `completion` is told how much that is when it is committed, or nil for a player or season that the tally has not. Any
  /// thread.
  package func voidTaps(
    of player: PlayerID,
    season: UInt32? = nil,
    _ completion: @escaping @Sendable (Int64?) -> Void
  ) {
    shards[0].post { shard in
      (shard.core.service as? PlayService)?
        .voidTaps(of: player, season: season, { _, _ in nil }, completion: completion)
    }
  }

  /// Who had three abnormal batches within a minute once, most abnormal batches first.
  package var suspects: [TapStanding] { commons.tally.suspects }
}

extension PlayService {
  /// Closes a season, by default the one that runs, with the next commit; `entry` makes what the audit log has of it, if
  /// anything. `completion` gets nil for one that does not run.
  func closeSeason(
    _ season: UInt32?,
    _ entry: @escaping @Sendable (SeasonClosing, Instant) -> AuditEntry?,
    completion: @escaping @Sendable (SeasonClosing?) -> Void
  ) {
    commit { tally, now in
      let closing = tally.closeSeason(season, at: now)
      return (closing, closing.flatMap { entry($0, now) })
    } completion: { [commons] closing in
      if let closing { commons.tell(.seasonClosed(closing.season)) }
      completion(closing)
    }
  }

  /// Voids a player's taps with the next commit; `entry` makes what the audit log has of it, if anything.
  func voidTaps(
    of player: PlayerID,
    season: UInt32?,
    _ entry: @escaping @Sendable (Int64, Instant) -> AuditEntry?,
    completion: @escaping @Sendable (Int64?) -> Void
  ) {
    commit { tally, now in
      let count = tally.voidTaps(of: player, season: season)
      return (count, count.flatMap { entry($0, now) })
    } completion: { [commons] count in
      if let count { commons.tell(.tapsVoided(of: player, count: count)) }
      completion(count)
    }
  }

  /// Does something to the tally with the next commit and tells what came of it when that lasts.
  private func commit<Result: Sendable>(
    _ action: @escaping @Sendable (SharedTally, Instant) -> (Result, AuditEntry?),
    completion: @escaping (Result) -> Void
  ) {
    let done = DeedResult<Result>()
    let deed: GroupCommit.TallyDeed = { tally, now in
      let (result, entry) = action(tally, now)
      done.set(result)
      return entry.map { [.audit($0)] } ?? []
    }
    journal.add(deed: deed) { completion(done.value) }
  }
}

/// What has come of a deed, on its way from the commit to the shard.
private final class DeedResult<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)

  func set(_ value: Value) {
    result.withLock { $0 = value }
  }

  var value: Value {
    guard let value = result.withLock({ $0 }) else { preconditionFailure("a deed is done before its commit") }
    return value
  }
}
