// The unit of concurrency: an actor whose executor is one serial dispatch queue that owns a set of connections and
// whatever the service above keeps for them.
//
// Everything of a shard happens on its queue, one thing after the other, so nothing in it is locked. No `await` on the
// way of data: other queues hand work over by `post`.
import Dispatch

/// Runs a shard's jobs on its queue.
package final class ShardExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}

package actor Shard {
  package nonisolated let index: Int
  private nonisolated let executor: ShardExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  /// Connections and service; all synchronous, on this shard's queue.
  package let core: ShardCore
  /// Watches the epoll set; cancelled once, at the end.
  private var source: (any DispatchSourceRead)?
  /// Called when the epoll set is closed; nil when it is.
  private var onStopped: [@Sendable () -> Void]? = []

  package init(
    index: Int,
    limits: NetLimits,
    clock: any Clock,
    quota: ConnectionQuota,
    service: @Sendable (ShardCore) -> any ShardService
  ) throws {
    self.index = index
    executor = ShardExecutor(label: "madang.shard.\(index)")
    let poller = try Poller(eventsMax: limits.eventsMax)
    core = ShardCore(index: index, limits: limits, clock: clock, quota: quota, poller: poller)
    core.attach(service(core))
  }

  /// Runs `body` on the shard's queue, after what was posted before.
  package nonisolated func post(_ body: @escaping @Sendable (isolated Shard) -> Void) {
    executor.queue.async {
      self.assumeIsolated { shard in
        shard.core.beginTurn()
        body(shard)
        shard.core.endTurn()
      }
    }
  }

  /// Begins to serve sockets; `siblings` are all shards of the process, this one included.
  package nonisolated func start(among siblings: [Shard]) {
    executor.queue.async {
      self.assumeIsolated { shard in
        shard.core.siblings = siblings
        let poller = shard.core.poller
        let source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: shard.executor.queue)
        shard.source = source
        source.setEventHandler { [weak self] in
          self?.assumeIsolated { $0.core.turn() }
        }
        // The set's descriptor is closed here and nowhere else: a number that is used again while the source still has
        // it would never fire. The handler keeps the shard until then.
        source.setCancelHandler {
          poller.close()
          self.assumeIsolated { $0.finishStopping() }
        }
        source.activate()
      }
    }
  }

  /// Gives up every connection and the epoll set, then calls `completion` on the shard's queue: no descriptor of the
  /// shard is open any more.
  package nonisolated func stop(_ completion: @escaping @Sendable () -> Void) {
    post { shard in
      guard shard.onStopped != nil else { return completion() }
      shard.onStopped?.append(completion)
      guard !shard.core.isStopped else { return }
      shard.core.stop()
      shard.core.siblings = []
      shard.source?.cancel()
    }
  }

  private func finishStopping() {
    let waiting = onStopped ?? []
    onStopped = nil
    for completion in waiting { completion() }
  }
}
