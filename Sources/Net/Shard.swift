// The unit of concurrency: an actor whose executor is one serial dispatch queue. The queue owns a set of connections
// and the data of the service above for them.
//
// Everything of a shard happens on its queue, one thing after the other, so nothing in it is locked. No `await` on the
// data path: other threads hand work over by `post`.

package actor Shard {
  package nonisolated let index: Int
  nonisolated let executor: ShardExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  /// Connections and service; all synchronous, on this shard's queue.
  package let core: ShardCore
  /// The same, for code that is on the queue by construction: turns, and the items of the mailbox that they run. The
  /// actor's own check of that costs a thousand instructions.
  nonisolated(unsafe) let queueCore: ShardCore
  /// The shard's load, for any thread.
  package nonisolated let load = PublishedLoad()

  package init(
    index: Int,
    limits: NetLimits,
    clock: any Clock,
    budgets: ProcessBudgets,
    isDriven: Bool = false,
    named name: String = "shard",
    service: @Sendable (ShardCore) -> any ShardService
  ) throws {
    self.index = index
    executor = try ShardExecutor()
    let poller = try Poller(eventsMax: limits.eventsMax, mailbox: executor.mailbox)
    core = ShardCore(
      index: index,
      limits: limits,
      clock: clock,
      budgets: budgets,
      poller: poller,
      publishedLoad: load
    )
    queueCore = core
    core.attach(service(core))
    if isDriven {
      executor.takeThisThread()
      return
    }
    // From here on the core belongs to its queue, which lives as long as the shard. It outlives `stop`, so that work
    // posted late is still done.
    let descriptor: Int32
    do {
      descriptor = try poller.duplicateDescriptor()
    } catch {
      poller.close()
      throw error
    }
    nonisolated(unsafe) let core = core
    ShardQueue(descriptor, named: "madang.\(name).\(index)") { [executor] in
      core.serveWhileBusy(executor)
    }.start()
  }

  deinit {
    executor.mailbox.close()
  }

  /// Runs `body` on the shard's queue, after what was posted before.
  package nonisolated func post(_ body: @escaping @Sendable (isolated Shard) -> Void) {
    executor.mailbox.put(.work { self.assumeIsolated { body($0) } })
  }

  /// The same for the core alone.
  nonisolated func post(toCore body: @escaping @Sendable (ShardCore) -> Void) {
    executor.mailbox.put(.work { body(self.queueCore) })
  }

  /// Sets all shards of the process, this one included.
  package nonisolated func join(_ siblings: [Shard]) {
    post { $0.core.siblings = siblings }
  }

  /// Gives up every connection and the epoll set, then calls `completion` on the shard's queue. No socket of the shard
  /// is open then.
  package nonisolated func stop(_ completion: @escaping @Sendable () -> Void) {
    post { shard in
      shard.core.stop()
      completion()
    }
  }
}
