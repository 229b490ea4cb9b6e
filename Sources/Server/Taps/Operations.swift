// What operators do to the contest while the server runs. Any thread; each answer is given on a shard's thread when it lasts.
import Game
import Net

extension GameServer {
  /// Ends the season that runs, stores its final ranking and begins the next at zero; `completion` is told it when all that
  /// is committed.
  package func closeSeason(_ completion: @escaping @Sendable (SeasonClosing) -> Void) {
    commit {
      $0.commons.tally.closeSeason(at: $0.now)
    } completion: { commons, closing in
      commons.tell(.seasonClosed(closing.season))
      completion(closing)
    }
  }

  /// Takes what a player has counted in a season so far, the one that runs by default, out of the schools' totals;
  /// `completion` is told how much that is when it is committed, or nil for a player or season that the tally has not.
  package func voidTaps(
    of player: PlayerID,
    season: UInt32? = nil,
    _ completion: @escaping @Sendable (Int64?) -> Void
  ) {
    commit {
      $0.commons.tally.voidTaps(of: player, season: season)
    } completion: { commons, count in
      if let count { commons.tell(.tapsVoided(of: player, count: count)) }
      completion(count)
    }
  }

  /// Who had three abnormal batches within a minute once, most abnormal batches first.
  package var suspects: [TapStanding] { commons.tally.suspects }

  /// Does something to the tally on a shard and tells what came of it when that lasts.
  private func commit<Result: Sendable>(
    _ action: @escaping @Sendable (PlayService) -> Result,
    completion: @escaping @Sendable (Commons, Result) -> Void
  ) {
    shards[0].post { shard in
      guard let service = shard.core.service as? PlayService else { return }
      let result = action(service)
      service.journal.touch()
      service.journal.whenCommitted { [commons = service.commons] in completion(commons, result) }
    }
  }
}
