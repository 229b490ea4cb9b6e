// All shards of a process: made, started, listened with and stopped together.
//
// Immutable, so any thread may hold it. All its work on a shard is posted.

package final class ShardGroup: Sendable {
  package let shards: [Shard]
  /// The shared budgets of the shards, for displays of their use.
  package let budgets: ProcessBudgets

  /// Makes `count` shards, usually as many as cores, whose queues are named after `name`. `service` makes each shard's
  /// service before anything runs on it. With `areDriven` they have no queues: see `Shard.turn`.
  ///
  /// - Throws: `NetError` when the system has no descriptor left.
  package init(
    count: Int,
    limits: NetLimits = NetLimits(),
    clock: any Clock = SystemClock(),
    areDriven: Bool = false,
    named name: String = "shard",
    service: @Sendable (ShardCore) -> any ShardService
  ) throws {
    precondition(count > 0, "a group has at least one shard")
    let budgets = ProcessBudgets(limits)
    self.budgets = budgets
    shards = try (0..<count).map { index in
      try Shard(
        index: index,
        limits: limits,
        clock: clock,
        budgets: budgets,
        isDriven: areDriven,
        named: name,
        service: service
      )
    }
    for shard in shards { shard.join(shards) }
  }

  /// Takes newcomers in, on the first shard, and spreads them over all.
  package func accept(
    from listening: ListeningSocket,
    by configuration: ListenerConfiguration = ListenerConfiguration()
  ) {
    shards[0].post { $0.core.listen(on: listening.socket, by: configuration) }
  }

  /// Gives up all connections and stops all shards; calls `completion` after the last.
  package func stop(_ completion: @escaping @Sendable () -> Void) {
    stop(from: 0, completion)
  }

  private func stop(from index: Int, _ completion: @escaping @Sendable () -> Void) {
    shards[index].stop {
      if index + 1 < self.shards.count { self.stop(from: index + 1, completion) } else { completion() }
    }
  }
}
