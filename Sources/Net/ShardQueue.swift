// The dispatch queue of a shard. Dispatch calls it when a socket or the mailbox is ready or a timer is due; the shard
// then keeps Dispatch's worker for as long as it has work.
//
// A call through Dispatch costs more than a message: its manager thread waits, wakes a worker, and registers the source
// again. A busy shard pays for none of it, because it waits in its own `epoll_wait`. An idle shard occupies no thread.
// Decisions: 001 (docs/decisions).
import CLinux
import Dispatch
import Glibc

/// Keeps itself alive until the shard has ended.
final class ShardQueue {
  /// The next call that a shard without work waits for.
  enum Rest {
    /// A socket or the mailbox, at most so many microseconds; nil when no timer is set.
    case idle(Int64?)
    /// Nothing: nobody holds the shard any more.
    case ended
  }

  private let source: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let serve: () -> Rest

  /// `serve` runs the shard, on the queue, until it has no work. It is called when `descriptor`, which now belongs to
  /// the queue, is readable, and when the time of the last rest is over.
  init(_ descriptor: Int32, named name: String, serve: @escaping () -> Rest) {
    let queue = DispatchQueue(label: name)
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    // Dispatch uses the descriptor until it has cancelled the source.
    source.setCancelHandler { _ = Glibc.close(descriptor) }
    timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    self.serve = serve
  }

  func start() {
    source.setEventHandler { self.run() }
    timer.setEventHandler { self.run() }
    timer.schedule(deadline: .distantFuture)
    source.activate()
    timer.activate()
  }

  private func run() {
    switch serve() {
    case .idle(nil): timer.schedule(deadline: .distantFuture)
    case .idle(let microseconds?):
      timer.schedule(deadline: .now() + .microseconds(Int(microseconds)), leeway: .nanoseconds(0))
    case .ended:
      source.cancel()
      timer.cancel()
    }
  }
}
