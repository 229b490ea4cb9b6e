// Operators' actions on the running contest. Each answer is given on a shard's queue after its commit; the action's
// row of the audit log is in the same commit.
// Decisions: 063 (docs/decisions).
import Game
import Gateway
import Locks
import Net
import Store

extension Taps {
  /// Closes the running season with the next commit, stores its final ranking and begins the next at zero. `entry`
  /// makes the row of the audit log. `completion` gets nil when another season than this one runs.
  func closeSeason(
    _ season: UInt32,
    _ entry: @escaping @Sendable (SeasonClosing, Instant) -> AuditEntry,
    completion: @escaping @Sendable (SeasonClosing?) -> Void
  ) {
    commit { [tally] now in
      let closing = tally.closeSeason(season, at: now)
      return (closing, closing.flatMap { entry($0, now) })
    } completion: { [notify] closing in
      if let closing { notify(.seasonClosed(closing.season)) }
      completion(closing)
    }
  }

  /// Voids a player's counted taps in a season with the next commit; `entry` makes the row of the audit log.
  ///
  /// `completion` gets the voided count. It gets 0, without a row, also for a player or season unknown to the tally.
  /// The counts of an old season are read from the store first; a failure means that they can't be.
  func voidTaps(
    of player: PlayerID,
    season: UInt32,
    _ entry: @escaping @Sendable (Int64, Instant) -> AuditEntry,
    completion: @escaping @Sendable (Result<Int64, StoreFailure>) -> Void
  ) {
    voidTaps(of: player, season: season, with: nil, entry, completion: completion)
  }

  private func voidTaps(
    of player: PlayerID,
    season: UInt32,
    with read: (counts: SharedTally.OldCounts, rows: [TapCountRow])?,
    _ entry: @escaping @Sendable (Int64, Instant) -> AuditEntry,
    completion: @escaping @Sendable (Result<Int64, StoreFailure>) -> Void
  ) {
    commit { [tally] now in
      let voiding = tally.voidTaps(of: player, season: season, with: read)
      guard case .done(let count) = voiding, count > 0 else { return (voiding, nil) }
      return (voiding, entry(count, now))
    } completion: { [self] voiding in
      switch voiding {
      case .done(let count):
        if count > 0 { notify(.tapsVoided(of: player, count: count)) }
        completion(.success(count))
      case .damaged(let fault): completion(.failure(.corrupt("\(fault)")))
      case .needs(let counts):
        self.read(counts) { taps, rows in
          taps.voidTaps(of: player, season: season, with: (counts, rows), entry, completion: completion)
        } failure: {
          completion(.failure($0))
        }
      }
    }
  }

  /// Reads counts that have left memory, all of which are stored by now, and continues on this shard.
  private func read(
    _ counts: SharedTally.OldCounts,
    _ body: @escaping @Sendable (Taps, [TapCountRow]) -> Void,
    failure: @escaping @Sendable (StoreFailure) -> Void
  ) {
    gateway.context.store.tapCounts(ofPlayer: counts.player, season: counts.season) { [ownShard] result in
      ownShard.post { taps in
        guard !taps.gateway.core.isStopped else { return failure(.other("the server has ended")) }
        switch result {
        case .success(let rows): body(taps, rows)
        case .failure(let why): failure(why)
        }
      }
    }
  }

  /// Changes the tally with the next commit and hands over the result after that commit.
  private func commit<Result: Sendable>(
    _ action: @escaping @Sendable (Instant) -> (Result, AuditEntry?),
    completion: @escaping (Result) -> Void
  ) {
    let done = ActionResult<Result>()
    let commitAction: GroupCommit.CommitAction = { now in
      let (result, entry) = action(now)
      done.set(result)
      return entry.map { [.audit($0)] } ?? []
    }
    gateway.journal.add(action: commitAction) { completion(done.value) }
  }
}

/// The result of an action, on its way from the commit to the shard.
private final class ActionResult<Value: Sendable>: Sendable {
  private let result = OrderedMutex<Value?>(.leaf, nil)

  func set(_ value: Value) {
    result.withLock { $0 = value }
  }

  var value: Value {
    guard let value = result.withLock({ $0 }) else { preconditionFailure("the action has run before its commit") }
    return value
  }
}
